package dev.keelson.cel.library;

import dev.cel.common.types.ListType;
import dev.cel.common.types.OptionalType;
import dev.cel.common.types.SimpleType;
import dev.keelson.cel.library.FunctionDeclarations.Type;

/** Kubernetes' CEL library of named formats. */
final class FormatFunctions {

  private static final Type<String> TEXT = new Type<>(SimpleType.STRING, String.class);
  private static final Type<Format> FORMAT = new Type<>(Format.TYPE, Format.class);

  private FormatFunctions() {}

  static void addTo(FunctionDeclarations list) {
    for (Format format : Format.values()) {
      String name = "format." + format.word();
      list.global(name, name, FORMAT.cel(), none -> format);
    }
    list.global(
            "format.named", "format-named", OptionalType.create(FORMAT.cel()), TEXT, Format::named)
        .member(
            "validate",
            "format-validate",
            OptionalType.create(ListType.create(SimpleType.STRING)),
            FORMAT,
            TEXT,
            Format::problems);
  }
}
