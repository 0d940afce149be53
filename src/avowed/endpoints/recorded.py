"""A component that answers from a file of responses recorded elsewhere."""

from pathlib import Path

from avowed.endpoints.protocol import Call, CallFailed
from avowed.factors.responses_file import read_responses
from avowed.factors.usecase import UseCase
from avowed.refusal import Refused, Unusable


class RecordedEndpoint:
    """Recorded responses of one component, asked by call.

    Args:
        path: a file of responses with their raw texts.
        case: the use case.
        component: whose responses; None if the file holds those of one component only.

    Raises:
        Refused: the file is refused, or names a call twice.
        Unusable: it cannot be read, or the component is not in it.
    """

    def __init__(self, path: Path, case: UseCase, *, component: str | None = None) -> None:
        """Read the whole file."""
        rows = read_responses(path, case).to_pylist()
        names = list(dict.fromkeys(row["component"] for row in rows))
        if component is None and len(names) == 1:
            component = names[0]
        if component is None or component not in names:
            asked = "no component is named" if component is None else f"{component!r} is not there"
            raise Unusable(f"{path}: {asked}; it has responses of {', '.join(names) or 'nobody'}")
        self.component: str = component
        self._path = path
        self._texts: dict[Call, str | None] = {}
        for number, row in enumerate(rows, start=1):
            if row["component"] != component:
                continue
            if row["raw"] is None and row["validity"] != "failed":
                raise Refused(
                    f"{path}, row {number}, field raw: found null; expected the text of the "
                    "response, since only a text can be answered again; score the file as it is"
                )
            call = Call(row["input"], row["feature"], row["intervention"], row["trial"])
            if call in self._texts:
                raise Refused(
                    f"{path}, row {number}, field trial: found a second row for {call}; expected "
                    "one (rule F8); keep one of them"
                )
            self._texts[call] = row["raw"]

    def ask(self, system: str, user: str, call: Call) -> str:
        """The recorded text.

        Raises:
            CallFailed: the call is recorded as failed.
            Refused: the call is not in the file.
        """
        if call not in self._texts:
            raise Refused(
                f"{self._path}: found no response of {self.component} for {call}; add a row for "
                "it, with raw null if the call failed"
            )
        text = self._texts[call]
        if text is None:
            raise CallFailed(f"{call} is recorded as failed", known=True)
        return text
