package dev.keelson.config.flag;

/** An invalid setting; the message names it and is shown to the user. */
public final class FlagException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  public FlagException(String message) {
    super(message);
  }

  /** A malformed argument of the command line, in the words of package pflag. */
  public static FlagException ofArgument(
      String dashed, String text, IllegalArgumentException cause) {
    return new FlagException(
        "invalid argument \"" + text + "\" for \"" + dashed + "\" flag: " + cause.getMessage());
  }

  /** Returns the message; never null. */
  public String text() {
    return String.valueOf(getMessage());
  }
}
