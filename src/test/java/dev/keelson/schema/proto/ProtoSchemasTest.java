package dev.keelson.schema.proto;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.schema.BuiltInResources;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.SchemaNode;
import dev.keelson.schema.SchemaNode.Field;
import dev.keelson.schema.SchemaNode.Field.Presence;
import dev.keelson.schema.SchemaNode.Free;
import dev.keelson.schema.SchemaNode.ListOf;
import dev.keelson.schema.SchemaNode.ListType;
import dev.keelson.schema.SchemaNode.MapOf;
import dev.keelson.schema.SchemaNode.Scalar;
import dev.keelson.schema.SchemaNode.StructSchema;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class ProtoSchemasTest {

  private static final String META = "io.k8s.apimachinery.pkg.apis.meta.v1.";

  private final ProtoSchemas schemas = ProtoSchemas.fromClassPath();

  private Field field(String message, String name) {
    return Objects.requireNonNull(schemas.struct(message).field(name), name);
  }

  @Test
  void struct_ofUnknownName_isRefused() {
    for (String name : List.of("", "Pod", "io.k8s.api.core.v1.Pods", "io.k8s.api.core.v2.Pod")) {
      assertThatThrownBy(() -> schemas.struct(name))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(name);
    }
  }

  @Test
  void struct_ofMessageThatIsNoObject_isRefused() {
    assertThatThrownBy(() -> schemas.struct(META + "Time"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("not an object");
  }

  @Test
  void struct_asked_twice_isOneInstance() throws Exception {
    try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
      List<Callable<StructSchema>> asks =
          java.util.Collections.nCopies(64, () -> schemas.struct("io.k8s.api.core.v1.Pod"));
      Set<StructSchema> seen = new HashSet<>();
      for (Future<StructSchema> answer : threads.invokeAll(asks)) {
        seen.add(answer.get());
        assertThat(answer.get().fields()).hasSize(5);
      }

      assertThat(seen).hasSize(1);
    }
  }

  @Test
  void kinds_haveTheirTypeFirst() {
    StructSchema pod = schemas.struct("io.k8s.api.core.v1.Pod");

    assertThat(pod.fields())
        .extracting(Field::name)
        .containsExactly("kind", "apiVersion", "metadata", "spec", "status");
    assertThat(pod.fields().get(0).number()).isZero();
    assertThat(schemas.struct("io.k8s.api.core.v1.PodSpec").field("kind")).isNull();
  }

  @Test
  void presence_followsHowGoHoldsTheField() {
    assertThat(field("io.k8s.api.core.v1.Pod", "spec").presence()).isEqualTo(Presence.VALUE);
    assertThat(field(META + "ObjectMeta", "creationTimestamp").presence())
        .isEqualTo(Presence.OMIT_ZERO);
    assertThat(field(META + "ObjectMeta", "deletionTimestamp").presence())
        .isEqualTo(Presence.POINTER);
    assertThat(field(META + "ObjectMeta", "name").presence()).isEqualTo(Presence.OMIT_EMPTY);
    assertThat(field(META + "ObjectMeta", "labels").presence()).isEqualTo(Presence.OMIT_EMPTY);
    assertThat(field("io.k8s.api.apps.v1.DeploymentSpec", "replicas").presence())
        .isEqualTo(Presence.POINTER);
    assertThat(field("io.k8s.api.core.v1.Container", "name").presence()).isEqualTo(Presence.ALWAYS);
    assertThat(field("io.k8s.api.core.v1.PodSpec", "containers").presence())
        .isEqualTo(Presence.ALWAYS);
  }

  @Test
  void encodings_areScalars() {
    assertThat(field(META + "ObjectMeta", "creationTimestamp").type()).isEqualTo(Scalar.TIME);
    assertThat(field("io.k8s.api.coordination.v1.LeaseSpec", "renewTime").type())
        .isEqualTo(Scalar.MICRO_TIME);
    assertThat(field("io.k8s.api.core.v1.ServicePort", "targetPort").type())
        .isEqualTo(Scalar.INT_OR_STRING);
    assertThat(field("io.k8s.api.core.v1.ResourceRequirements", "limits").type())
        .isEqualTo(new MapOf(Scalar.QUANTITY, false));
    assertThat(field("io.k8s.api.apps.v1.ControllerRevision", "data").type())
        .isEqualTo(Free.RAW_JSON);
    assertThat(field(META + "ManagedFieldsEntry", "fieldsV1").type()).isEqualTo(Free.FIELDS_V1);
    assertThat(field("io.k8s.api.core.v1.Secret", "data").type())
        .isEqualTo(new MapOf(Scalar.BYTES, false));
    assertThat(field(META + "APIResource", "verbs").type())
        .isEqualTo(new ListOf(Scalar.STRING, ListType.ATOMIC, List.of(), true));
  }

  @Test
  void inlinedFields_standInTheParentAndKnowTheirCarrier() {
    Field hostPath = field("io.k8s.api.core.v1.Volume", "hostPath");
    Field twice = field("io.k8s.api.admissionregistration.v1.NamedRuleWithOperations", "apiGroups");

    assertThat(hostPath.inlinedIn()).hasSize(1);
    assertThat(field("io.k8s.api.core.v1.Volume", "name").inlinedIn()).isEmpty();
    assertThat(twice.inlinedIn()).hasSize(2);
  }

  @Test
  void rules_areCarriedOver() {
    Field containers = field("io.k8s.api.core.v1.PodSpec", "containers");
    Field phase = field("io.k8s.api.core.v1.PodStatus", "phase");

    assertThat(containers.rules().patchMergeKey()).isEqualTo("name");
    assertThat(containers.rules().patchStrategies()).containsExactly("merge");
    assertThat(containers.type())
        .isInstanceOfSatisfying(
            ListOf.class,
            list -> {
              assertThat(list.type()).isEqualTo(ListType.MAP);
              assertThat(list.mapKeys()).containsExactly("name");
            });
    assertThat(phase.rules().known()).contains("Pending", "Running");
    assertThat(schemas.struct(META + "LabelSelector").atomic()).isTrue();
  }

  @Test
  void everyTypeThatIsServed_loads() {
    Set<StructSchema> seen = new HashSet<>();
    for (ResourceDefinition resource : BuiltInResources.all(schemas::struct)) {
      walk(resource.schema(), seen);
      resource.subresources().values().forEach(subresource -> walk(subresource.schema(), seen));
    }

    assertThat(seen).hasSizeGreaterThan(400);
  }

  private static void walk(SchemaNode node, Set<StructSchema> seen) {
    switch (node) {
      case StructSchema struct -> {
        if (seen.add(struct)) {
          struct.fields().forEach(field -> walk(field.type(), seen));
        }
      }
      case ListOf list -> walk(list.element(), seen);
      case MapOf map -> walk(map.value(), seen);
      case SchemaNode.Union union -> walk(union.message(), seen);
      case Scalar _, Free _, SchemaNode.Structural _ -> {}
    }
  }
}
