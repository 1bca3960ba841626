package dev.keelson.schema.codec.yaml;

import java.util.List;

/** One node of a YAML document as it is written, aliases and merges not yet resolved. */
sealed interface YamlPart {

  /** The line on which it begins, from 1. */
  int line();

  /**
   * A scalar.
   *
   * @param text its content, escapes and folding resolved
   * @param tag its tag in full, {@code !} for the one that says "not resolved"; empty if there is
   *     none
   * @param plain whether it stands without quotes and not as a block
   */
  record Scalar(String text, String tag, boolean plain, int line) implements YamlPart {}

  /**
   * A sequence.
   *
   * @param parts its elements; still growing while its own elements are read
   */
  record Sequence(List<YamlPart> parts, int line) implements YamlPart {}

  /**
   * A mapping.
   *
   * @param parts keys and values in turn; still growing while its own entries are read
   */
  record Mapping(List<YamlPart> parts, int line) implements YamlPart {}

  /**
   * A reference to something with an anchor, which may be what it stands in.
   *
   * @param anchor the name
   * @param target what the anchor names at this place
   */
  record Alias(String anchor, YamlPart target, int line) implements YamlPart {}
}
