package dev.keelson.cel.schema;

import static dev.keelson.cel.schema.RuleSamples.list;
import static dev.keelson.cel.schema.RuleSamples.map;
import static dev.keelson.cel.schema.RuleSamples.mapOf;
import static dev.keelson.cel.schema.RuleSamples.node;
import static dev.keelson.cel.schema.RuleSamples.object;
import static dev.keelson.cel.schema.RuleSamples.rule;
import static dev.keelson.cel.schema.RuleSamples.text;
import static dev.keelson.cel.schema.RuleSamples.type;
import static dev.keelson.cel.schema.RuleSamples.withRules;
import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.StructuralSchema;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The estimated costs of rules on values of bounded and of unbounded size, as kube-apiserver has
 * them. The rows of {@code rule-costs.txt}: the schema, the rule, its cost without limits of sizes,
 * a limit, and its cost with it.
 */
@Timeout(60)
class RuleCostsTest {

  /** A row; a cost that begins with > is only exceeded. */
  record Row(String schema, String rule, String unbounded, int most, long bounded) {}

  static Stream<Row> rows() throws IOException {
    try (InputStream in =
        Objects.requireNonNull(
            RuleCostsTest.class.getResourceAsStream("/apiextensions/rule-costs.txt"))) {
      String lines = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      return lines.lines().map(RuleCostsTest::row).toList().stream();
    }
  }

  private static Row row(String line) {
    String[] parts = line.split("\\|", -1);
    assertThat(parts).hasSize(5);
    return new Row(
        parts[0], parts[1], parts[2], Integer.parseInt(parts[3]), Long.parseLong(parts[4]));
  }

  @ParameterizedTest
  @MethodSource("rows")
  void rule_costs(Row row) {
    long unbounded = cost(row, -1);

    if (row.unbounded.startsWith(">")) {
      assertThat(unbounded).isGreaterThan(Long.parseLong(row.unbounded.substring(1)));
    } else {
      assertThat(unbounded).isEqualTo(Long.parseLong(row.unbounded));
    }
    assertThat(cost(row, row.most)).isEqualTo(row.bounded);
  }

  private static long cost(Row row, int most) {
    MapNode source = withRules(schema(row.schema, most), rule(row.rule));
    StructuralSchema schema = StructuralSchema.of(source);
    var type = SchemaTypes.of(schema, "selfType", /* root= */ false).orElseThrow();
    Rule rule = Rule.compile(schema.validations(), schema, type).getFirst();
    assertThat(rule.error()).isEmpty();
    return rule.cost();
  }

  /**
   * A schema by its name.
   *
   * @param most the limit of the sizes that the row limits; negative for none
   */
  private static MapNode schema(String name, int most) {
    String part = name.substring(name.indexOf(' ') + 1);
    MapNode short2 = type("string").with("maxLength", node(2));
    MapNode short4 = type("string").with("maxLength", node(4));
    return switch (name.substring(0, name.length() - part.length()).strip()) {
      case "array" -> items(list(simple(part)), most);
      case "arrays" -> items(list(list(simple(part))), most);
      case "maps" -> items(list(mapOf(simple(part))), most);
      case "map" -> properties(mapOf(simple(part)), most);
      default ->
          switch (part) {
            case "string" -> length(type("string"), most);
            case "bytes" -> length(text("byte"), most);
            case "enum" ->
                length(
                    type("string").with("enum", node(List.of("A", "B", "C", "LongValue"))), most);
            case "strings" -> items(list(length(type("string"), most)), most);
            case "objects" -> items(list(simple("object")), most);
            case "nested" -> properties(mapOf(length(type("string"), most)), most);
            case "allMax" ->
                items(list(properties(mapOf(properties(simple("object"), most)), most)), most);
            case "oneMax" -> list(properties(mapOf(simple("object")), most));
            case "replace" ->
                object("str", length(type("string"), most), "before", short2, "after", short4);
            case "split" ->
                object(
                    "str", length(type("string"), most),
                    "separator", length(type("string"), most));
            default -> throw new IllegalArgumentException(name);
          };
    };
  }

  private static MapNode simple(String name) {
    return switch (name) {
      case "duration", "date", "date-time" -> text(name);
      case "int-or-string" -> map("x-kubernetes-int-or-string", true);
      case "object" ->
          object("required", type("string"), "optional", type("string"))
              .with("required", node(List.of("required")));
      case "map" -> mapOf(type("number"));
      case "array" -> list(type("number"));
      default -> type(name);
    };
  }

  private static MapNode items(MapNode schema, int most) {
    return most < 0 ? schema : schema.with("maxItems", node(most));
  }

  private static MapNode properties(MapNode schema, int most) {
    return most < 0 ? schema : schema.with("maxProperties", node(most));
  }

  private static MapNode length(MapNode schema, int most) {
    return most < 0 ? schema : schema.with("maxLength", node(most));
  }
}
