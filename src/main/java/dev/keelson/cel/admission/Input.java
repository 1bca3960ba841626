package dev.keelson.cel.admission;

/** The variables of the environment of policies. */
enum Input {
  OBJECT("object"),
  OLD_OBJECT("oldObject"),
  NAMESPACE("namespaceObject"),
  REQUEST("request"),
  PARAMS("params"),
  AUTHORIZER("authorizer"),
  REQUEST_RESOURCE("authorizer.requestResource"),
  VARIABLES("variables");

  private final String word;

  Input(String word) {
    this.word = word;
  }

  /** The name in expressions. */
  String word() {
    return word;
  }
}
