package dev.keelson.schema.validation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.api.FieldCause;
import dev.keelson.api.GroupKind;
import dev.keelson.api.GroupVersionKind;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.SchemaNode.StructSchema;
import dev.keelson.schema.proto.ProtoSchemas;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** An object that is refused is not validated twice as a whole. */
class ValidationPassesTest {

  private static final GroupVersionKind KIND = new GroupVersionKind("", "v1", "ConfigMap");
  private static final StructSchema SCHEMA =
      ProtoSchemas.fromClassPath().struct("io.k8s.api.core.v1.ConfigMap");
  private static final ApiObject OBJECT =
      new ApiObject(MapNode.of("data", MapNode.of("a", Node.text("1")).with("b", Node.text("2"))));

  private final List<String> reached = new ArrayList<>();

  private List<FieldCause> validate(KindRules rules) {
    return new ObjectValidation(Map.of(new GroupKind("", "ConfigMap"), rules)::get)
        .validateCreate(KIND, KIND, SCHEMA, OBJECT, reached::add);
  }

  private List<FieldCause> update(KindRules rules) {
    return new ObjectValidation(Map.of(new GroupKind("", "ConfigMap"), rules)::get)
        .validateUpdate(KIND, KIND, SCHEMA, "", OBJECT, OBJECT, reached::add);
  }

  /** Refuses every entry. */
  private final class EveryEntry implements KindRules {
    @Override
    public void validate(Value object) {
      for (Value entry : object.get("data")) {
        reached.add((object.inOrder() ? "second " : "first ") + entry.text());
        entry.invalid("wrong");
      }
    }

    @Override
    public void validateCreate(Value object) {
      reached.add("create");
    }
  }

  @Test
  void firstPass_endsAtTheFirstCause() {
    List<FieldCause> causes = validate(new EveryEntry());

    assertThat(causes).extracting(FieldCause::field).containsExactly("data[a]", "data[b]");
    assertThat(reached).containsExactly("first 1", "second 1", "second 2", "create");
  }

  @Test
  void firstPassOfAnUpdate_endsAtTheFirstCause() {
    List<FieldCause> causes = update(new EveryEntry());

    assertThat(causes).hasSize(2);
    assertThat(reached).containsExactly("first 1", "second 1", "second 2");
  }

  @Test
  void causesOfTheFirstPassAlone_areTold() {
    KindRules rules =
        new KindRules() {
          @Override
          public void validate(Value object) {
            if (!object.inOrder()) {
              object.get("data").forEach(entry -> entry.invalid("wrong"));
            }
          }
        };

    assertThat(validate(rules)).hasSize(2);
  }

  @Test
  void validObject_takesOnePass() {
    KindRules rules =
        new KindRules() {
          @Override
          public void validate(Value object) {
            reached.add(object.inOrder() ? "second" : "first");
          }
        };

    assertThat(validate(rules)).isEmpty();
    assertThat(reached).containsExactly("first");
  }
}
