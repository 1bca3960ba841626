package dev.keelson.storage.object;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.api.GroupVersionKind;
import dev.keelson.schema.SchemaNode.StructSchema;
import dev.keelson.schema.StoredType;
import dev.keelson.schema.proto.ProtoSchemas;
import dev.keelson.storage.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(120)
class KeyLayoutTest {

  private static final StructSchema SCHEMA =
      ProtoSchemas.fromClassPath().struct("io.k8s.api.core.v1.Pod");
  private static final StoredType PODS = type("pods");
  private static final StoredType SERVICES = type("services/specs");

  private static StoredType type(String prefix) {
    return new StoredType(prefix, new GroupVersionKind("", "v1", "Pod"), SCHEMA);
  }

  @Test
  void key_standsWhereKubernetesPutsIt() {
    KeyLayout layout = KeyLayout.KUBERNETES;

    assertThat(layout.key(PODS, "default", "web")).hasToString("/registry/pods/default/web");
    assertThat(layout.key(SERVICES, "default", "web"))
        .hasToString("/registry/services/specs/default/web");
    assertThat(layout.key(type("minions"), "", "n1")).hasToString("/registry/minions/n1");
  }

  @ParameterizedTest
  @CsvSource({
    "/registry, /registry/pods/a/b",
    "registry/, /registry/pods/a/b",
    "//a/b//, /a/b/pods/a/b",
    "/, /pods/a/b",
    "'', /pods/a/b"
  })
  void root_isReadWithOrWithoutSlashes(String root, String key) {
    assertThat(new KeyLayout(root).key(PODS, "a", "b")).hasToString(key);
  }

  @Test
  void range_holdsTheKeysOfOneCollectionOnly() {
    KeyLayout layout = KeyLayout.KUBERNETES;

    assertThat(layout.range(PODS, "a").contains(layout.key(PODS, "a", "x"))).isTrue();
    assertThat(layout.range(PODS, "a").contains(layout.key(PODS, "ab", "x"))).isFalse();
    assertThat(layout.range(PODS, "").contains(layout.key(PODS, "ab", "x"))).isTrue();
    assertThat(layout.range(PODS, "").contains(layout.key(type("podsx"), "a", "x"))).isFalse();
    assertThat(layout.range(PODS, "").contains(Bytes.utf8("/registry/pods"))).isFalse();
  }

  @Test
  void name_isTheLastSegment() {
    assertThat(ObjectStore.name(Bytes.utf8("/registry/pods/default/web"))).isEqualTo("web");
    assertThat(ObjectStore.name(Bytes.utf8("/registry/clusterroles/system:x")))
        .isEqualTo("system:x");
  }
}
