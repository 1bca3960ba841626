package dev.keelson.server.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.api.GroupResource;
import dev.keelson.schema.BuiltInResources;
import dev.keelson.schema.ResourceCatalog;
import dev.keelson.schema.SchemaNode.StructSchema;
import dev.keelson.storage.Bytes;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StoredResourcesTest {

  private final StoredResources resources =
      new StoredResources(
          new ResourceCatalog(
              BuiltInResources.all(name -> new StructSchema(name, false, false, List::of))),
          "/registry");

  @ParameterizedTest
  @CsvSource({
    "/registry/pods/default/a, '', pods",
    "/registry/pods/, '', pods",
    "/registry/pods, '', pods",
    "/registry/services/specs/default/a, '', services",
    "/registry/services/endpoints/, '', endpoints",
    "/registry/minions/a, '', nodes",
    "/registry/deployments/default/a, apps, deployments",
    "/registry/made-up/a, '', ''",
    "/registry/, '', ''",
    "/, '', ''"
  })
  void key_belongsToItsResource(String key, String group, String resource) {
    assertThat(resources.of(Bytes.utf8(key))).isEqualTo(new GroupResource(group, resource));
  }

  @ParameterizedTest
  @CsvSource({
    "/registry/minions/a, *core.Node",
    "/registry/deployments/default/a, *apps.Deployment",
    "/registry/clusterroles/a, *rbac.ClusterRole",
    "/registry/flowschemas/a, *flowcontrol.FlowSchema",
    "/registry/made-up/a, ''",
  })
  void key_belongsToTheGoTypeOfItsObjects(String key, String type) {
    assertThat(resources.type(Bytes.utf8(key))).isEqualTo(type);
  }
}
