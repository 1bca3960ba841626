package dev.keelson.storage.encryption;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.api.GroupResource;
import dev.keelson.storage.Bytes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PrefixTransformersTest {

  private static final Bytes PATH = Bytes.utf8("/registry/secrets/default/demo");
  private static final Bytes TEXT = Bytes.utf8("{}");

  private final List<String> reports = new ArrayList<>();

  private static PrefixedTransformer aes(String prefix, int fill) {
    byte[] key = new byte[16];
    Arrays.fill(key, (byte) fill);
    return PrefixedTransformer.of(prefix, new AesGcm(key));
  }

  private static PrefixedTransformer identity() {
    return PrefixedTransformer.of("", IdentityTransformer.INSTANCE);
  }

  private PrefixTransformers of(PrefixedTransformer... transformers) {
    return new PrefixTransformers(
        List.of(transformers),
        "no matching prefix found",
        (direction, prefix, status, nanos) ->
            reports.add(direction.label() + " " + prefix + " " + status));
  }

  @Test
  void first_writes_andWhatOthersReadIsStale() {
    Bytes old = of(aes("one:", 1)).toStorage(TEXT, PATH);
    PrefixTransformers rotated = of(aes("two:", 2), aes("one:", 1), identity());

    assertThat(rotated.toStorage(TEXT, PATH).utf8()).startsWith("two:");
    assertThat(rotated.fromStorage(old, PATH)).isEqualTo(new Transformer.Plain(TEXT, true));
    assertThat(rotated.fromStorage(TEXT, PATH)).isEqualTo(new Transformer.Plain(TEXT, true));
    assertThat(rotated.fromStorage(rotated.toStorage(TEXT, PATH), PATH).stale()).isFalse();
  }

  @Test
  void samePrefix_withSeveralKeys_isTriedInOrder() {
    Bytes old = of(aes("k:", 1)).toStorage(TEXT, PATH);

    assertThat(of(aes("k:", 2), aes("k:", 1)).fromStorage(old, PATH))
        .isEqualTo(new Transformer.Plain(TEXT, true));
    assertThatThrownBy(() -> of(aes("k:", 2), aes("k:", 3)).fromStorage(old, PATH))
        .hasMessage("cipher: message authentication failed");
  }

  @Test
  void identityFirst_readsEncryptedValuesWithTheNext() {
    String prefix = "k8s:enc:aesgcm:v1:";
    Bytes old = of(aes(prefix, 1)).toStorage(TEXT, PATH);
    PrefixTransformers leaving = of(identity(), aes(prefix, 1));

    assertThat(leaving.fromStorage(old, PATH)).isEqualTo(new Transformer.Plain(TEXT, true));
    assertThat(leaving.toStorage(TEXT, PATH)).isEqualTo(TEXT);
  }

  @Test
  void unknownPrefix_isRejected_andReported() {
    assertThatThrownBy(() -> of(aes("k:", 1)).fromStorage(Bytes.utf8("x:y"), PATH))
        .isInstanceOf(TransformationException.class)
        .hasMessage("no matching prefix found");

    assertThat(reports).containsExactly("from_storage unknown unknown-non-grpc");
  }

  @Test
  void everyTransformation_isReported() {
    PrefixTransformers transformers = of(aes("k:", 1), identity());
    Bytes stored = transformers.toStorage(TEXT, PATH);
    Transformer.Plain unused = transformers.fromStorage(stored, PATH);
    unused = transformers.fromStorage(TEXT, PATH);
    assertThatThrownBy(() -> of(aes("k:", 2)).fromStorage(stored, PATH))
        .isInstanceOf(TransformationException.class);

    assertThat(reports)
        .containsExactly(
            "to_storage k: OK",
            "from_storage k: OK",
            "from_storage identity OK",
            "from_storage k: unknown-non-grpc");
  }

  @Test
  void resource_isFoundByName_thenGroup_thenEverything() {
    Transformer own = new AesGcm(new byte[16]);
    Transformer group = new AesGcm(new byte[16]);
    Transformer all = new AesGcm(new byte[16]);
    ResourceTransformers table =
        new ResourceTransformers(
            Map.of(
                new GroupResource("", "secrets"), own,
                new GroupResource("apps", "*"), group,
                new GroupResource("*", "*"), all));

    assertThat(table.of(new GroupResource("", "secrets"))).isSameAs(own);
    assertThat(table.of(new GroupResource("apps", "deployments"))).isSameAs(group);
    assertThat(table.of(new GroupResource("", "pods"))).isSameAs(all);
    assertThat(new ResourceTransformers(Map.of()).of(new GroupResource("", "pods")))
        .isSameAs(IdentityTransformer.INSTANCE);
  }
}
