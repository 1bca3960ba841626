package dev.keelson.server.tool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.storage.Bytes;
import dev.keelson.storage.Entry;
import org.junit.jupiter.api.Test;

class ObjectCheckTest {

  private final ObjectCheck check = new ObjectCheck();

  private String check(String key, String value) {
    return check.check("/registry", new Entry(Bytes.utf8(key), Bytes.utf8(value), 2, 2));
  }

  private static String map(String name, String uid, String owners) {
    return """
    {"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"%s","namespace":"a","uid":"%s"%s}}\
    """
        .formatted(name, uid, owners);
  }

  private static String owner(String uid) {
    return """
    ,"ownerReferences":[{"apiVersion":"v1","kind":"ConfigMap","name":"o","uid":"%s"}]\
    """
        .formatted(uid);
  }

  @Test
  void objects_thatDecode_areSound() {
    assertThat(check("/registry/configmaps/a/o", map("o", "1", ""))).isEmpty();
    assertThat(check("/registry/configmaps/a/p", map("p", "2", owner("1")))).isEmpty();
    assertThat(
            check(
                "/registry/example.com/widgets/w",
                """
                {"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"w","uid":"3"},\
                "spec":{"size":1}}\
                """))
        .isEmpty();
    assertThat(check("/registry/keelson.dev/continue-key", "\u0000\u0001")).isEmpty();

    assertThat(check.danglingOwners()).isEmpty();
  }

  @Test
  void values_thatDoNotDecode_areDamaged() {
    assertThat(check("/registry/configmaps/a/o", "")).isNotEmpty();
    assertThat(check("/registry/configmaps/a/o", "{}")).contains("apiVersion and kind");
    assertThat(check("/registry/configmaps/a/o", map("o", "1", "").substring(0, 70))).isNotEmpty();
    assertThat(check("/registry/configmaps/a/other", map("o", "1", "")))
        .isEqualTo("holds the object \"a/o\"");
    assertThat(check("/registry/configmaps/a/o", map("o", "", ""))).isEqualTo("has no uid");
  }

  @Test
  void encryptedValues_areCounted() {
    assertThat(check("/registry/secrets/a/o", "k8s:enc:aescbc:v1:key:...")).isEmpty();

    assertThat(check.encrypted()).isEqualTo(1);
  }

  @Test
  void owners_thatDoNotExist_areDangling() {
    check("/registry/configmaps/a/p", map("p", "2", owner("1")));

    assertThat(check.danglingOwners())
        .containsExactly(
            "/registry/configmaps/a/p is owned by ConfigMap o (uid 1), which does not exist");
  }
}
