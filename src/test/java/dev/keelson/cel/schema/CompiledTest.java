package dev.keelson.cel.schema;

import static dev.keelson.cel.schema.RuleSamples.list;
import static dev.keelson.cel.schema.RuleSamples.node;
import static dev.keelson.cel.schema.RuleSamples.object;
import static dev.keelson.cel.schema.RuleSamples.rule;
import static dev.keelson.cel.schema.RuleSamples.type;
import static dev.keelson.cel.schema.RuleSamples.withRules;
import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.cel.type.DataType;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.StructuralSchema;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Rules that are alike are compiled once. */
@Timeout(60)
class CompiledTest {

  private static final MapNode FIELDS =
      object("a", type("integer"), "o", object("s", type("string"), "n", type("number")));

  @Test
  void rulesOfPlacesWithTheSameType_areCompiledOnce() {
    String text = "self.o.s != 'shared by places'";

    Compiled first = compiled(FIELDS, text, "selfType.spec");

    assertThat(compiled(FIELDS, text, "selfType.status.@idx")).isSameAs(first);
    assertThat(compiled(FIELDS, text + " ", "selfType.spec")).isNotSameAs(first);
  }

  @Test
  void rulesOfOtherTypes_areNot() {
    String text = "self.s.size() < 3";
    MapNode schema = object("s", type("string"));
    MapNode bounded = object("s", type("string").with("maxLength", node(5)));

    Compiled first = compiled(schema, text, "selfType");

    assertThat(compiled(bounded, text, "selfType")).isNotSameAs(first);
    assertThat(compiled(object("s", list(type("string"))), text, "selfType")).isNotSameAs(first);
    assertThat(compiled(schema.with("required", node(List.of("s"))), text, "selfType"))
        .isNotSameAs(first);
  }

  @Test
  void optionalOldValues_areAnotherType() {
    MapNode schema = type("integer");
    Compiled plain = compiled(withRules(schema, rule("oldSelf == self")), "selfType");

    Compiled optional =
        compiled(
            withRules(schema, rule("oldSelf.hasValue()", "optionalOldSelf", true)), "selfType");

    assertThat(plain.usesOldSelf()).isTrue();
    assertThat(optional.usesOldSelf()).isTrue();
    assertThat(optional).isNotSameAs(plain);
  }

  @Test
  void updateOfASchema_compilesOnlyTheRulesThatChange() {
    MapNode kept = withRules(object("i", type("integer")), rule("self.i > 12345"));
    MapNode before = object("kept", kept, "changed", type("string"));
    MapNode after = object("kept", kept, "changed", type("integer"), "added", type("boolean"));

    RuleNode old = Objects.requireNonNull(SchemaRules.of(StructuralSchema.of(before)).root());
    RuleNode now = Objects.requireNonNull(SchemaRules.of(StructuralSchema.of(after)).root());

    assertThat(ruleOf(now, "kept").rule()).isNotNull().isSameAs(ruleOf(old, "kept").rule());
  }

  @Test
  void wrongRules_areCompiledForEachPlace() {
    int before = Compiled.sharedCount();
    MapNode schema = withRules(FIELDS, rule("self.wrong == 'not shared'"));

    assertThat(ruleAt(schema, "selfType.x").error()).contains("undefined field 'wrong'");
    assertThat(Compiled.sharedCount()).isLessThanOrEqualTo(before);
  }

  private static Rule ruleOf(RuleNode root, String property) {
    return Objects.requireNonNull(root.properties().get(property)).rules().getFirst();
  }

  private static Compiled compiled(MapNode schema, String text, String name) {
    return compiled(withRules(schema, rule(text)), name);
  }

  private static Compiled compiled(MapNode schema, String name) {
    return Objects.requireNonNull(ruleAt(schema, name).rule());
  }

  private static Rule ruleAt(MapNode source, String name) {
    StructuralSchema schema = StructuralSchema.of(source);
    DataType type = SchemaTypes.of(schema, name, /* root= */ false).orElseThrow();
    return Rule.compile(schema.validations(), schema, type).getFirst();
  }
}
