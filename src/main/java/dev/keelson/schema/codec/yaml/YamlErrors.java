package dev.keelson.schema.codec.yaml;

import dev.keelson.schema.codec.tree.DecodeException;
import dev.keelson.schema.codec.tree.DecodeException.Fault;
import dev.keelson.schema.codec.tree.Tokens;

/** Errors of YAML documents in the words of sigs.k8s.io/yaml on go-yaml v2. */
final class YamlErrors {

  private static final String PREFIX = "error converting YAML to JSON: yaml: ";

  private YamlErrors() {}

  /** The document is not well-formed YAML. */
  static DecodeException syntax(String detail) {
    return new DecodeException(Fault.SYNTAX, PREFIX + detail);
  }

  /** The document exceeds a limit. */
  static DecodeException limit(String detail) {
    return new DecodeException(Fault.LIMIT, PREFIX + detail);
  }

  /** The document nests deeper than {@link Tokens#MAX_DEPTH}. */
  static DecodeException tooDeep() {
    return limit("the document nests deeper than " + Tokens.MAX_DEPTH);
  }
}
