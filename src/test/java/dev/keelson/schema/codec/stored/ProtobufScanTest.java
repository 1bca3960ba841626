package dev.keelson.schema.codec.stored;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.api.GroupVersionKind;
import dev.keelson.schema.SchemaNode.StructSchema;
import dev.keelson.schema.codec.ObjectReader;
import dev.keelson.schema.codec.protobuf.Envelope;
import dev.keelson.schema.codec.protobuf.ProtobufOutput;
import dev.keelson.schema.codec.tree.FieldValidation;
import dev.keelson.schema.proto.ProtoSchemas;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** JSON in the tests has ' for ". */
@Timeout(120)
class ProtobufScanTest {

  private static final StructSchema POD =
      ProtoSchemas.fromClassPath().struct("io.k8s.api.core.v1.Pod");

  private static byte[] stored(String json) {
    return StoredForm.encode(
        ObjectReader.json(
                json.replace('\'', '"').getBytes(StandardCharsets.UTF_8),
                POD,
                FieldValidation.STRICT)
            .root(),
        POD,
        StoredForm.Medium.PROTOBUF);
  }

  private static final byte[] FULL =
      stored(
          "{'kind':'Pod','apiVersion':'v1','metadata':{'name':'n','namespace':'ns','generation':7,"
              + "'labels':{'app':'x','tier':''}},'spec':{'nodeName':'node-1','hostNetwork':true,"
              + "'containers':[]},'status':{'phase':'Running'}}");

  @ParameterizedTest
  @CsvSource({
    "metadata.name, n",
    "metadata.namespace, ns",
    "metadata.generation, 7",
    "spec.nodeName, node-1",
    "spec.hostNetwork, true",
    "status.phase, Running",
    "status.podIP, ''"
  })
  void field_isReadWhereItStands(String path, String value) {
    assertThat(StoredScan.field(FULL, StoredPath.of(POD, path)))
        .isEqualTo(new ScanResult.Value(value));
  }

  @ParameterizedTest
  @CsvSource({
    "spec.priority, Absent",
    "metadata.deletionTimestamp, Unreadable",
    "spec.containers, Unreadable",
    "spec.nothing, Unreadable",
    "kind, Unreadable"
  })
  void field_thatIsNotThere_isAbsentOrLeftToTheDecoder(String path, String found) {
    assertThat(StoredScan.field(FULL, StoredPath.of(POD, path)).getClass().getSimpleName())
        .isEqualTo(found);
  }

  @Test
  void labels_areAllLabels() {
    assertThat(StoredScan.labels(FULL)).isEqualTo(Map.of("app", "x", "tier", ""));
    assertThat(StoredScan.labels(stored("{'kind':'Pod','apiVersion':'v1'}"))).isEmpty();
  }

  @Test
  void kind_isTheOneOfTheEnvelope() {
    assertThat(StoredScan.isOf(FULL, new GroupVersionKind("", "v1", "Pod"))).isTrue();
    assertThat(StoredScan.isOf(FULL, new GroupVersionKind("", "v2", "Pod"))).isFalse();
  }

  @Test
  void owners_areSeen() {
    String owned =
        "{'kind':'Pod','apiVersion':'v1','metadata':{'ownerReferences':"
            + "[{'apiVersion':'v1','kind':'Pod','name':'a','uid':'u'}]}}";
    String finalized = "{'kind':'Pod','apiVersion':'v1','metadata':{'finalizers':['orphan']}}";

    assertThat(StoredScan.mayConcernOwners(FULL)).isFalse();
    assertThat(StoredScan.mayConcernOwners(stored(owned))).isTrue();
    assertThat(StoredScan.mayConcernOwners(stored(finalized))).isTrue();
  }

  @Test
  void truncated_isLeftToTheDecoder() {
    StoredPath phase = StoredPath.of(POD, "status.phase");
    int head = 4 + 2 + "..v1..Pod".length() + 3;
    for (int length = head; length < FULL.length - 4; length++) {
      byte[] cut = Arrays.copyOf(FULL, length);

      assertThat(StoredScan.field(cut, phase)).isInstanceOf(ScanResult.Unreadable.class);
      assertThat(StoredScan.labels(cut)).isNull();
      assertThat(StoredScan.mayConcernOwners(cut)).isTrue();
    }
  }

  @Test
  void messageInTwoPieces_isLeftToTheDecoder() {
    ProtobufOutput out = Envelope.end(new ProtobufOutput(64));
    int end = out.size();
    out.string(1, "\n\1b").string(1, "\n\1a");
    byte[] twice = Envelope.begin(out, "v1", "Pod", out.size() - end).toBytes();

    assertThat(StoredScan.field(twice, StoredPath.of(POD, "metadata.name")))
        .isInstanceOf(ScanResult.Unreadable.class);
    assertThat(StoredScan.labels(twice)).isNull();
    assertThat(StoredForm.decode(twice, POD).map("metadata").text("name")).isEqualTo("b");
  }
}
