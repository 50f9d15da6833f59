"""Start a command and say what it took: python -I -S scale_process.py OUT ERRORS COMMAND ...

A process of its own, and a small one: on Linux a child's peak memory begins with that of the process that started it.
Prints seconds, seconds of processors, peak memory in kB (of 1024 bytes), and how it ended.
"""

import os
import sys
import time


def main() -> None:
    out, errors, *command = sys.argv[1:]
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
    actions = [(os.POSIX_SPAWN_OPEN, 1, out, flags, 0o600), (os.POSIX_SPAWN_OPEN, 2, errors, flags, 0o600)]
    begin = time.perf_counter()
    pid = os.posix_spawn(command[0], command, os.environ, file_actions=actions)
    _, status, usage = os.wait4(pid, 0)
    print(time.perf_counter() - begin, usage.ru_utime + usage.ru_stime, usage.ru_maxrss, status)


if __name__ == "__main__":
    main()
