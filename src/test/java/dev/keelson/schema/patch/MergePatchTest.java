package dev.keelson.schema.patch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.patch.PatchException.Fault;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
class MergePatchTest {

  static Stream<PatchTables.Row> table() {
    return PatchTables.rows("merge-patch.jsonl");
  }

  @ParameterizedTest
  @MethodSource("table")
  void table_appliesAsKubectlDoes(PatchTables.Row row) {
    assertThat(MergePatch.of(row.patch()).apply(row.target())).isEqualTo(row.result());
  }

  @Test
  void apply_keepsTheOrderOfMembers() {
    MapNode target = (MapNode) PatchTables.json("{'b':1,'a':2,'c':3}");

    assertThat(MergePatch.of(PatchTables.json("{'d':4,'a':5,'b':null}")).apply(target).keys())
        .containsExactly("a", "c", "d");
  }

  @ParameterizedTest
  @ValueSource(strings = {"[]", "1", "'x'", "true", "null"})
  void of_noObject_isMalformed(String document) {
    assertThatThrownBy(() -> MergePatch.of(PatchTables.json(document)))
        .isInstanceOfSatisfying(
            PatchException.class, e -> assertThat(e.fault()).isEqualTo(Fault.MALFORMED));
  }
}
