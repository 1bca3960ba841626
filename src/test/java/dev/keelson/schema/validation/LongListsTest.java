package dev.keelson.schema.validation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.api.FieldCause;
import dev.keelson.api.GroupVersionKind;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.SchemaNode.StructSchema;
import dev.keelson.schema.proto.ProtoSchemas;
import dev.keelson.schema.validation.admissionregistration.PolicyExpressions;
import dev.keelson.schema.validation.apiextensions.DefaultValidation;
import dev.keelson.schema.validation.apiextensions.SchemaExpressions;
import dev.keelson.schema.validation.builtin.BuiltInRules;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Lists as long as a request can hold. To compare each element with every other would be some 10^10
 * comparisons in each of these, and take far longer than the test may.
 */
@Timeout(120)
class LongListsTest {

  private static final int MANY = 150_000;
  private static final GroupVersionKind POD = new GroupVersionKind("", "v1", "Pod");
  private static final StructSchema SCHEMA =
      ProtoSchemas.fromClassPath().struct("io.k8s.api.core.v1.Pod");
  private static final MapNode CONTAINER =
      MapNode.of("name", Node.text("main"))
          .with("image", Node.text("image:1"))
          .with("imagePullPolicy", Node.text("Always"))
          .with("terminationMessagePolicy", Node.text("File"));
  private static final MapNode SPEC =
      MapNode.of("restartPolicy", Node.text("Always"))
          .with("dnsPolicy", Node.text("ClusterFirst"))
          .with("terminationGracePeriodSeconds", new Node.Int(30))
          .with("containers", new Node.Items(List.of(CONTAINER)));

  private final List<String> warnings = new ArrayList<>();

  private List<FieldCause> validateCreate(MapNode spec) {
    return BuiltInRules.validation(
            TestExpressions::problem,
            DefaultValidation.NONE,
            SchemaExpressions.NONE,
            PolicyExpressions.NONE)
        .validateCreate(POD, POD, SCHEMA, pod(spec), warnings::add);
  }

  private static ApiObject pod(MapNode spec) {
    return new ApiObject(
        MapNode.of("metadata", MapNode.of("name", Node.text("long"))).with("spec", spec));
  }

  private static Node.Items many(IntFunction<Node> element) {
    return new Node.Items(IntStream.range(0, MANY).mapToObj(element).toList());
  }

  private static MapNode named(String name) {
    return MapNode.of("name", Node.text(name));
  }

  private static MapNode withContainer(String field, Node value) {
    return SPEC.with("containers", new Node.Items(List.of(CONTAINER.with(field, value))));
  }

  @Test
  void containers_allIncomplete_areToldUpToABound() {
    List<FieldCause> causes = validateCreate(SPEC.with("containers", many(i -> named("c" + i))));

    assertThat(causes)
        .contains(
            new FieldCause("FieldValueRequired", "Required value", "spec.containers[0].image"))
        .hasSize(65)
        .endsWith(new FieldCause("", "and " + (MANY - 64) + " more", ""));
  }

  @Test
  void names_thatAreThereTwice_areFound() {
    List<FieldCause> causes =
        validateCreate(SPEC.with("initContainers", many(i -> named("i" + i % 75_000))));

    assertThat(causes).anyMatch(cause -> cause.reason().equals("FieldValueRequired"));
  }

  @Test
  void variables_thatHideEachOther_areWarnedOf() {
    assertThat(validateCreate(withContainer("env", many(i -> named("V" + (i == 1 ? 0 : i))))))
        .isEmpty();

    assertThat(warnings).hasSize(1);
    assertThat(warnings.getFirst())
        .startsWith("spec.containers[0].env[1]: hides previous definition of \"V0\"");
  }

  @Test
  void mounts_ofOnePath_areFound() {
    MapNode volume = named("v").with("emptyDir", MapNode.EMPTY);
    Node mounts =
        many(i -> named("v").with("mountPath", Node.text("/p" + (i == MANY - 1 ? 0 : i))));

    assertThat(
            validateCreate(
                withContainer("volumeMounts", mounts)
                    .with("volumes", new Node.Items(List.of(volume)))))
        .singleElement()
        .satisfies(
            cause -> {
              assertThat(cause.field())
                  .isEqualTo("spec.containers[0].volumeMounts[149999].mountPath");
              assertThat(cause.message()).contains("must be unique");
            });
  }

  @Test
  void gates_andSpreads_ofOneName_areFound() {
    MapNode spread =
        MapNode.of("maxSkew", new Node.Int(1))
            .with("whenUnsatisfiable", Node.text("DoNotSchedule"));
    MapNode spec =
        SPEC.with("schedulingGates", many(i -> named("g" + (i == MANY - 1 ? 0 : i))))
            .with(
                "topologySpreadConstraints",
                many(i -> spread.with("topologyKey", Node.text("k" + (i == MANY - 1 ? 0 : i)))));

    assertThat(validateCreate(spec))
        .extracting(FieldCause::reason, FieldCause::field)
        .containsExactlyInAnyOrder(
            org.assertj.core.groups.Tuple.tuple(
                "FieldValueDuplicate", "spec.schedulingGates[149999]"),
            org.assertj.core.groups.Tuple.tuple(
                "FieldValueDuplicate",
                "spec.topologySpreadConstraints[0].{topologyKey, whenUnsatisfiable}"));
  }

  @Test
  void tolerations_ofAPod_mayBeAdded() {
    Node before = many(LongListsTest::toleration);
    Node after =
        new Node.Items(
            IntStream.range(0, MANY + 1).mapToObj(LongListsTest::toleration).toList().reversed());
    List<FieldCause> causes =
        BuiltInRules.validation(
                TestExpressions::problem,
                DefaultValidation.NONE,
                SchemaExpressions.NONE,
                PolicyExpressions.NONE)
            .validateUpdate(
                POD,
                POD,
                SCHEMA,
                "",
                pod(SPEC.with("tolerations", after)),
                pod(SPEC.with("tolerations", before)),
                warnings::add);

    assertThat(causes).isEmpty();
  }

  private static Node toleration(int i) {
    return MapNode.of("key", Node.text("t" + i)).with("operator", Node.text("Exists"));
  }
}
