package dev.keelson.server.tool;

/** The user has stopped the command. */
final class StoppedException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  StoppedException() {
    super("stopped");
  }
}
