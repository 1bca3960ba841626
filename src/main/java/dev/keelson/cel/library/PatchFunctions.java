package dev.keelson.cel.library;

import dev.cel.common.types.SimpleType;
import dev.keelson.cel.library.FunctionDeclarations.Type;

/**
 * Kubernetes' CEL library of JSON patches, for expressions of mutating policies only (source:
 * apiserver/pkg/cel/library/jsonpatch.go).
 */
final class PatchFunctions {

  static final String ESCAPE_KEY = "jsonpatch.escapeKey";

  private PatchFunctions() {}

  static void addTo(FunctionDeclarations list) {
    Type<String> text = new Type<>(SimpleType.STRING, String.class);
    list.global(
        ESCAPE_KEY,
        "string_jsonpatch_escapeKey_string",
        SimpleType.STRING,
        text,
        PatchFunctions::escape);
  }

  /** A key as a part of a JSON pointer (RFC 6901). */
  private static Object escape(String key) {
    return key.replace("~", "~0").replace("/", "~1");
  }
}
