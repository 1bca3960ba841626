package dev.keelson.schema.codec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.SchemaNode.StructSchema;
import dev.keelson.schema.codec.stored.StoredForm;
import dev.keelson.schema.codec.stored.StoredForm.Medium;
import dev.keelson.schema.codec.tree.FieldValidation;
import dev.keelson.schema.proto.ProtoSchemas;
import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Objects that Kubernetes encoded, with something in every field: their JSON and their protobuf
 * become each other to the byte. Expected bytes: the files in {@code golden}, which Kubernetes' own
 * encoders wrote.
 */
@Timeout(120)
class GoldenObjectsTest {

  private static final ProtoSchemas SCHEMAS = ProtoSchemas.fromClassPath();

  private record Golden(byte[] protobuf, byte[] json, StructSchema schema) {
    static Golden of(String name) throws IOException {
      return new Golden(
          resource(name + ".pb"), resource(name + ".json"), SCHEMAS.struct("io.k8s.api." + name));
    }

    private static byte[] resource(String file) throws IOException {
      try (InputStream in =
          Objects.requireNonNull(
              GoldenObjectsTest.class.getResourceAsStream("/golden/" + file), file)) {
        return in.readAllBytes();
      }
    }

    MapNode fromProtobuf() {
      return ObjectReader.protobuf(protobuf, schema, FieldValidation.STRICT).root();
    }

    MapNode fromJson() {
      return ObjectReader.json(json, schema, FieldValidation.STRICT).root();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "apps.v1.DaemonSet",
        "apps.v1.Deployment",
        "batch.v1.Job",
        "batch.v1beta1.CronJob",
        "core.v1.ConfigMap",
        "core.v1.Event",
        "core.v1.Namespace",
        "core.v1.Pod",
        "core.v1.Secret",
        "core.v1.Service",
        "extensions.v1beta1.Deployment",
        "extensions.v1beta1.Ingress"
      })
  void jsonAndProtobuf_becomeEachOther(String name) throws IOException {
    Golden golden = Golden.of(name);

    assertThat(ObjectWriter.protobuf(golden.fromProtobuf(), golden.schema))
        .isEqualTo(golden.protobuf);
    assertThat(ObjectWriter.protobuf(golden.fromJson(), golden.schema)).isEqualTo(golden.protobuf);
    assertThat(ObjectWriter.json(golden.fromProtobuf())).isEqualTo(golden.json);
    assertThat(ObjectWriter.json(golden.fromJson())).isEqualTo(golden.json);
  }

  @ParameterizedTest
  @ValueSource(strings = {"core.v1.Pod", "core.v1.Service", "apps.v1.Deployment"})
  void stored_isWhatKubernetesWouldStore(String name) throws IOException {
    Golden golden = Golden.of(name);
    MapNode object = golden.fromProtobuf();
    MapNode metadata = object.map("metadata").without("resourceVersion").without("selfLink");

    byte[] stored = StoredForm.encode(object, golden.schema, Medium.PROTOBUF);

    assertThat(stored)
        .isEqualTo(ObjectWriter.protobuf(object.with("metadata", metadata), golden.schema));
    assertThat(StoredForm.decode(stored, golden.schema))
        .isEqualTo(object.with("metadata", metadata));
  }
}
