"""What a request is refused with."""


class Refused(Exception):
    def __init__(self, kind, message):
        super().__init__(message)
        self.kind = kind
