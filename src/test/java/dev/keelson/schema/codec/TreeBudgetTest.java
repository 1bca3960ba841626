package dev.keelson.schema.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.SchemaNode.StructSchema;
import dev.keelson.schema.codec.tree.DecodeException;
import dev.keelson.schema.codec.tree.DecodeException.Fault;
import dev.keelson.schema.codec.tree.FieldValidation;
import dev.keelson.schema.codec.tree.TreeBudget;
import dev.keelson.schema.proto.ProtoSchemas;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A body whose tree would be large against the memory is refused while it is read. */
class TreeBudgetTest {

  private static final StructSchema POD =
      ProtoSchemas.fromClassPath().struct("io.k8s.api.core.v1.Pod");

  private record Form(String name, byte[] body, BiFunction<byte[], TreeBudget, Object> reading) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static final FieldValidation IGNORE = FieldValidation.IGNORE;
  private static final FieldValidation STRICT = FieldValidation.STRICT;

  private static MapNode pod(int containers) {
    Node spec =
        MapNode.of(
            "containers", new Node.Items(Collections.nCopies(containers, (Node) MapNode.EMPTY)));
    return MapNode.copyOf(
        Map.of("apiVersion", Node.text("v1"), "kind", Node.text("Pod"), "spec", spec));
  }

  private static byte[] json(int containers) {
    return ObjectWriter.json(pod(containers));
  }

  private static byte[] yaml(int containers) {
    return ("spec:\n  containers:\n" + "  - {}\n".repeat(containers))
        .getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] protobuf(int containers) {
    return ObjectWriter.protobuf(ObjectReader.json(json(containers), POD, IGNORE).root(), POD);
  }

  private static Stream<Form> forms() {
    return Stream.of(
        new Form("JSON", json(1000), (body, most) -> ObjectReader.json(body, POD, IGNORE, most)),
        new Form("YAML", json(1000), (body, most) -> ObjectReader.yaml(body, POD, IGNORE, most)),
        new Form("blocks", yaml(1000), (body, most) -> ObjectReader.yaml(body, POD, IGNORE, most)),
        new Form(
            "protobuf",
            protobuf(1000),
            (body, most) -> ObjectReader.protobuf(body, POD, IGNORE, most)),
        new Form("patch", json(1000), (body, most) -> ObjectReader.untypedJson(body, STRICT, most)),
        new Form(
            "applied", json(1000), (body, most) -> ObjectReader.untypedYaml(body, STRICT, most)));
  }

  @ParameterizedTest
  @MethodSource("forms")
  void elements_areBoundedByTheBudget(Form form) {
    assertThat(form.reading.apply(form.body, new TreeBudget(10 * 1024 * 1024))).isNotNull();
    assertThatExceptionOfType(DecodeException.class)
        .isThrownBy(() -> form.reading.apply(form.body, new TreeBudget(300 * 1024)))
        .withMessageContaining("Request entity too large")
        .extracting(DecodeException::fault)
        .isEqualTo(Fault.SIZE);
  }

  @Test
  void smallBodies_haveNoBound() {
    TreeBudget budget = TreeBudget.forBody(64 * 1024);

    Stream.generate(() -> budget).limit(1_000_000).forEach(TreeBudget::container);

    assertThat(ObjectReader.json(json(10), POD, IGNORE, budget).problems()).isEmpty();
  }

  @Test
  void largeBodies_mayTakeAQuarterOfTheMemory() {
    TreeBudget budget = TreeBudget.forBody(3 * 1024 * 1024);
    long most = Runtime.getRuntime().maxMemory() / 4 / 384;

    for (long i = 0; i < most; i++) {
      budget.container();
    }

    assertThatExceptionOfType(DecodeException.class).isThrownBy(budget::container);
  }
}
