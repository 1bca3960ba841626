package dev.keelson.config.flag;

import java.util.HexFormat;

/**
 * An invalid setting; the message names it and is shown to the user: one line of bounded length,
 * control characters of values escaped.
 */
public final class FlagException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /** Most characters of a value that a message shows; a forged one fills no log. */
  private static final int SHOWN = 1000;

  public FlagException(String message) {
    super(line(message));
  }

  private static String line(String message) {
    StringBuilder line = new StringBuilder();
    int end = Math.min(message.length(), 2 * SHOWN);
    for (int i = 0; i < end; i++) {
      char c = message.charAt(i);
      switch (c) {
        case '\n' -> line.append("\\n");
        case '\r' -> line.append("\\r");
        case '\t' -> line.append("\\t");
        default -> {
          if (Character.isISOControl(c)) {
            line.append("\\x").append(HexFormat.of().toHexDigits((byte) c));
          } else {
            line.append(c);
          }
        }
      }
    }
    return line.append(end < message.length() ? "..." : "").toString();
  }

  /** A malformed argument of the command line, in the words of package pflag. */
  public static FlagException ofArgument(
      String dashed, String text, IllegalArgumentException cause) {
    return new FlagException(
        "invalid argument \""
            + shortened(text)
            + "\" for \""
            + dashed
            + "\" flag: "
            + cause.getMessage());
  }

  private static String shortened(String text) {
    return text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "...";
  }

  /** Returns the message; never null. */
  public String text() {
    return String.valueOf(getMessage());
  }
}
