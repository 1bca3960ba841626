package dev.keelson.admission.match;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.api.GroupVersion;
import dev.keelson.schema.BuiltInResources;
import dev.keelson.schema.ResourceCatalog;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.proto.ProtoSchemas;
import dev.keelson.testing.CustomTypes;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
class EquivalentsTest {

  private static final String VERSION =
      "'schema':{'openAPIV3Schema':{'type':'object',"
          + "'x-kubernetes-preserve-unknown-fields':true}},'subresources':{'status':{},"
          + "'scale':{'specReplicasPath':'.spec.replicas','statusReplicasPath':'.status.replicas'}}";

  private final ResourceCatalog catalog =
      new ResourceCatalog(BuiltInResources.all(ProtoSchemas.fromClassPath()::struct));

  private List<String> of(String version, String resource, String subresource) {
    ResourceDefinition definition =
        catalog.snapshot().find(GroupVersion.parse(version).resource(resource)).orElseThrow();
    return Equivalents.of(definition, subresource, catalog.snapshot()).stream()
        .map(
            found ->
                GroupVersion.of(found.resource())
                    + " "
                    + found.kind().apiVersion()
                    + " "
                    + found.kind().kind())
        .toList();
  }

  @ParameterizedTest
  @CsvSource({
    "v1, events, '', events.k8s.io/v1 events.k8s.io/v1 Event",
    "events.k8s.io/v1, events, '', v1 v1 Event",
    "autoscaling/v1, horizontalpodautoscalers, '', autoscaling/v2 autoscaling/v2"
        + " HorizontalPodAutoscaler",
    "autoscaling/v2, horizontalpodautoscalers, status, autoscaling/v1 autoscaling/v1"
        + " HorizontalPodAutoscaler",
    "apps/v1, deployments, scale, extensions/v1beta1 extensions/v1beta1 Scale",
    "extensions/v1beta1, deployments, scale, apps/v1 autoscaling/v1 Scale",
  })
  void builtInResource_hasThoseOfOtherGroupsAndVersions(
      String version, String resource, String subresource, String expected) {
    assertThat(of(version, resource, subresource)).containsExactly(expected);
  }

  @ParameterizedTest
  @CsvSource({"v1, pods, ''", "apps/v1, statefulsets, scale", "v1, replicationcontrollers, scale"})
  void builtInResource_inOneVersion_hasNone(String version, String resource, String subresource) {
    assertThat(of(version, resource, subresource)).isEmpty();
  }

  @Test
  void scaleOfACustomResource_isOneKindInEveryVersion() {
    String definition = CustomTypes.widgets(VERSION);
    String two =
        definition.substring(0, definition.length() - 3)
            + ",{'name':'v2','served':true,'storage':false,"
            + VERSION
            + "}]}}";
    CustomTypes.serve(catalog, two);

    assertThat(of("example.com/v2", "widgets", "scale"))
        .containsExactly("example.com/v1 autoscaling/v1 Scale");
    assertThat(of("example.com/v2", "widgets", "status"))
        .containsExactly("example.com/v1 example.com/v1 Widget");
    assertThat(of("example.com/v1", "widgets", ""))
        .containsExactly("example.com/v2 example.com/v2 Widget");
  }
}
