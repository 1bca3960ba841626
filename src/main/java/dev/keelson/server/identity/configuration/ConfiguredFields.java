package dev.keelson.server.identity.configuration;

import dev.keelson.cel.Environment;
import dev.keelson.cel.Expression;
import dev.keelson.cel.ValueType;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.codec.ObjectReader;
import dev.keelson.schema.codec.tree.DecodeException;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Checks and compiles fields of configuration files; every error names the field. */
final class ConfiguredFields {

  private ConfiguredFields() {}

  /**
   * Decodes a file in YAML or JSON.
   *
   * @throws IllegalArgumentException if it is not an object
   */
  static MapNode root(String text) {
    try {
      if (ObjectReader.untypedYaml(text.getBytes(StandardCharsets.UTF_8)) instanceof MapNode map) {
        return map;
      }
    } catch (DecodeException e) {
      throw new IllegalArgumentException(e.text(), e);
    }
    throw new IllegalArgumentException("expected an object");
  }

  /**
   * Rejects unknown keys.
   *
   * @param at the path of {@code node}, with the dot at its end unless it is the root
   * @throws IllegalArgumentException if {@code node} has a key that is not one of {@code keys}
   */
  static void rejectUnknown(String at, MapNode node, String... keys) {
    Set<String> known = Set.of(keys);
    for (String key : node.keys()) {
      if (!known.contains(key)) {
        throw new IllegalArgumentException(
            "strict decoding error: unknown field \"" + at + key + "\"");
      }
    }
  }

  /**
   * Compiles an expression whose result has exactly the type {@code result}; any type is taken for
   * {@code ANY}.
   *
   * @param at the field's path
   * @return null if the expression is empty or invalid, which is a fault
   */
  static @Nullable Expression compile(
      ConfigurationFaults faults,
      Environment environment,
      String at,
      String text,
      ValueType result) {
    if (text.isBlank()) {
      faults.required(at, "");
      return null;
    }
    try {
      return environment.compileExactly(text, result);
    } catch (IllegalArgumentException e) {
      faults.invalid(at, text, String.valueOf(e.getMessage()));
      return null;
    }
  }
}
