package dev.keelson.server.tool;

/** A command cannot do what it was asked to; the message says why and what to do. */
final class ToolException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  ToolException(String message) {
    super(message);
  }
}
