package dev.keelson.http.stream;

import java.util.ArrayList;
import java.util.List;

/**
 * The streams of a command, by the channel of the WebSocket (source: client-go's {@code
 * remotecommand}).
 *
 * @param stdin whether the command has an input
 * @param stdout whether its output is passed
 * @param stderr whether its error output is passed; not with a terminal
 * @param tty whether it has a terminal, whose size can change
 */
public record Channels(boolean stdin, boolean stdout, boolean stderr, boolean tty) {

  static final int STDIN = 0;
  static final int STDOUT = 1;
  static final int STDERR = 2;
  static final int ERROR = 3;
  static final int RESIZE = 4;

  /** Names a channel whose sender has ended it. */
  static final int CLOSE = 255;

  /** One more than the highest. */
  static final int COUNT = 5;

  private static final List<String> TYPES = List.of("stdin", "stdout", "stderr", "error", "resize");

  /** The channels that are open, in the order in which kubelets expect their streams. */
  List<Integer> open() {
    List<Integer> open = new ArrayList<>(COUNT);
    open.add(ERROR);
    if (stdin) {
      open.add(STDIN);
    }
    if (stdout) {
      open.add(STDOUT);
    }
    if (stderr && !tty) {
      open.add(STDERR);
    }
    if (tty) {
      open.add(RESIZE);
    }
    return open;
  }

  /** The value of the header streamType. */
  static String type(int channel) {
    return TYPES.get(channel);
  }
}
