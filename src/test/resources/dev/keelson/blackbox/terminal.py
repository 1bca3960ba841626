# Runs a command in a terminal of 40 lines and 100 columns, types what it waits for, and changes the
# size. Arguments: a command. Prints what the terminal shows; ends with the command's exit code.
import fcntl, os, pty, signal, struct, sys, termios


def size(terminal, rows, columns):
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))


pid, terminal = pty.fork()
if pid == 0:
    size(0, 40, 100)
    os.execvp(sys.argv[1], sys.argv[1:])
signal.alarm(60)
shown = b""


def until(text):
    global shown
    while text not in shown:
        try:
            part = os.read(terminal, 65536)
        except OSError:
            part = b""
        if not part:
            return False
        shown += part
    return True


if until(b"ready") and until(b'"Width":100,"Height":40'):
    os.write(terminal, b"hello\r")
    until(b"got hello")
    size(terminal, 50, 120)
    os.kill(pid, signal.SIGWINCH)
    until(b'"Width":120,"Height":50')
    os.write(terminal, b"bye\r")
    until(b"never shown")
sys.stdout.buffer.write(shown)
sys.stdout.flush()
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
