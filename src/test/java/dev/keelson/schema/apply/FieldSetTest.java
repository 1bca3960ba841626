package dev.keelson.schema.apply;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.ResetFields.FieldFilter;
import dev.keelson.schema.codec.ObjectReader;
import dev.keelson.schema.codec.ObjectWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
class FieldSetTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "union        | {'f:a':{}}           | {'f:b':{}}           | {'f:a':{},'f:b':{}}",
        "union        | {'f:a':{}}           | {'f:a':{'f:b':{}}}   | {'f:a':{'.':{},'f:b':{}}}",
        "union        | {'f:a':{'f:c':{}}}   | {'f:a':{'f:b':{}}}   | {'f:a':{'f:b':{},'f:c':{}}}",
        "minus        | {'f:a':{},'f:b':{}}  | {'f:a':{}}           | {'f:b':{}}",
        "minus        | {'f:a':{'.':{},'f:b':{}}} | {'f:a':{}}      | {'f:a':{'f:b':{}}}",
        "minus        | {'f:a':{'.':{},'f:b':{}}} | {'f:a':{'f:b':{}}} | {'f:a':{}}",
        "minus        | {'f:a':{'f:b':{}}}   | {'f:a':{'f:b':{}}}   | {}",
        "minusWhole   | {'f:a':{'f:b':{}},'f:c':{}} | {'f:a':{}}    | {'f:c':{}}",
        "minusWhole   | {'f:a':{}}           | {'f:a':{'f:b':{}}}   | {'f:a':{}}",
        "intersection | {'f:a':{},'f:b':{}}  | {'f:b':{},'f:c':{}}  | {'f:b':{}}",
        "intersection | {'f:a':{'.':{},'f:b':{}}} | {'f:a':{}}      | {'f:a':{}}",
        "intersection | {'f:a':{'f:b':{}}}   | {'f:a':{'f:c':{}}}   | {}",
      })
  void algebra(String operation, String left, String right, String expected) {
    FieldSet mine = set(left);
    FieldSet theirs = set(right);

    FieldSet result =
        switch (operation) {
          case "union" -> mine.union(theirs);
          case "minus" -> mine.minus(theirs);
          case "minusWhole" -> mine.minusWhole(theirs);
          case "intersection" -> mine.intersection(theirs);
          default -> throw new IllegalArgumentException(operation);
        };

    assertThat(text(result)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'f:a':{'.':{},'f:b':{'f:c':{}},'f:d':{}},'f:e':{}} | {'f:a':{'.':{},'f:b':{'f:c':{}}}}",
        "{'f:a':{'f:b':{}}}            | {'f:a':{'f:b':{}}}",
        "{'f:a':{'.':{},'f:d':{}}}     | {'f:a':{}}",
        "{'f:a':{'f:d':{}},'f:e':{}}   | {}",
        "{'f:i':{'i:0':{'.':{},'f:x':{},'f:y':{}},'i:1':{'f:y':{}}}}"
            + " | {'f:i':{'i:0':{'.':{},'f:x':{}}}}",
        "{}                            | {}",
      })
  void filtered_leavesTheFields_whatIsBelowThem_andWhatContainsThem(String all, String expected) {
    MapNode paths =
        MapNode.of("f:a", MapNode.of("f:b", MapNode.EMPTY))
            .with("f:i", MapNode.of(FieldFilter.Only.ANY, MapNode.of("f:x", MapNode.EMPTY)));

    assertThat(text(set(all).filtered(new FieldFilter.Only(paths)))).isEqualTo(expected);
  }

  @Test
  void read_bringsKeysIntoOneFormAndOrder() {
    String written =
        "{'i:2':{},'v:\\'b\\'':{},'v:3':{},'k:{ \\'b\\' : 1, \\'a\\':\\'x\\'"
            + " }':{},'f:z':{'f:y':{},'.':{}},'f:a':{}}";

    assertThat(text(set(written)))
        .isEqualTo(
            "{'f:a':{},'f:z':{'.':{},'f:y':{}},'k:{\\'a\\':\\'x\\',\\'b\\':1}':{},"
                + "'v:3':{},'v:\\'b\\'':{},'i:2':{}}");
  }

  @Test
  void read_ignoresWhatIsBehindTheJsonOfAStep() {
    assertThat(text(set("{'v:\\'a\\' {\\'x\\':1}':{},'k:{\\'b\\':1} 2':{},'v:3 4':{}}")))
        .isEqualTo("{'k:{\\'b\\':1}':{},'v:3':{},'v:\\'a\\'':{}}");
  }

  @Test
  void read_passesOverStepsOfLaterVersions() {
    assertThat(text(set("{'f:a':{'r:Hello':{}},'r:x':1,'f:b':{'.':{},'f:c':{},'z:y':{'a':{}}}}")))
        .isEqualTo("{'f:a':{},'f:b':{'.':{},'f:c':{}}}");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"{'a':{}}", "{'f:a':1}", "{'k:{':{}}", "{'i:x':{}}", "{'v:nope':{}}", "[]"})
  void read_refusesWhatIsNoSet(String written) {
    assertThat(FieldSet.read(json(written))).isEmpty();
  }

  @Test
  void forEach_tellsMembersOfAPlaceBeforeThoseBelowIt() {
    List<String> paths = new ArrayList<>();

    set("{'f:a':{'f:b':{}},'f:c':{'.':{},'k:{\\'n\\':\\'x\\'}':{}}}")
        .forEach(
            path -> paths.add(String.join("", path.stream().map(PathElement::shown).toList())));

    assertThat(paths).containsExactly(".c", ".a.b", ".c[n=\"x\"]");
  }

  private static FieldSet set(String text) {
    return FieldSet.read(json(text)).orElseThrow();
  }

  private static Node json(String text) {
    String json = text.replace("\\'", "\u0000").replace('\'', '"').replace("\u0000", "\\\"");
    return ObjectReader.untypedJson(json.getBytes(StandardCharsets.UTF_8));
  }

  private static String text(FieldSet set) {
    MapNode tree = set.tree();
    return new String(ObjectWriter.json(tree), StandardCharsets.UTF_8).replace('"', '\'');
  }
}
