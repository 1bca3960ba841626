package dev.keelson.schema.proto;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorSet;
import com.google.protobuf.DescriptorProtos.SourceCodeInfo;
import com.google.protobuf.DescriptorProtos.SourceCodeInfo.Location;
import java.util.List;
import org.junit.jupiter.api.Test;

class SchemaDocsTest {

  private final SchemaDocs docs = SchemaDocs.fromClassPath();

  /** One message {@code p.Disk} with a field {@code fsType}, commented. */
  private static SchemaDocs commented(String message, String field, String trailing) {
    FileDescriptorProto file =
        FileDescriptorProto.newBuilder()
            .setName("p.proto")
            .setPackage("p")
            .addMessageType(
                DescriptorProto.newBuilder()
                    .setName("Disk")
                    .addField(
                        FieldDescriptorProto.newBuilder()
                            .setName("fs_type")
                            .setJsonName("fsType")
                            .setNumber(1)
                            .setType(FieldDescriptorProto.Type.TYPE_STRING)))
            .setSourceCodeInfo(
                SourceCodeInfo.newBuilder()
                    .addLocation(
                        Location.newBuilder().addAllPath(List.of(4, 0)).setLeadingComments(message))
                    .addLocation(
                        Location.newBuilder()
                            .addAllPath(List.of(4, 0, 2, 0))
                            .setLeadingComments(field)
                            .setTrailingComments(trailing)))
            .build();
    return new SchemaDocs(
        DescriptorSet.of(FileDescriptorSet.newBuilder().addFile(file).build().toByteArray()));
  }

  @Test
  void describe_joinsLinesAndKeepsParagraphs() {
    SchemaDocs disk = commented(" A disk\n that spins.\n\n Or not.\n", " Its file\n system.\n", "");

    assertThat(disk.describe("p.Disk")).isEqualTo("A disk that spins.\n\nOr not.");
    assertThat(disk.describe("p.Disk", "fsType")).isEqualTo("Its file system.");
  }

  @Test
  void describe_takesACommentBehindTheField() {
    assertThat(commented("", "", " ext4\n").describe("p.Disk", "fsType")).isEqualTo("ext4");
    assertThat(commented("", "", "").describe("p.Disk", "fsType")).isEmpty();
  }

  @Test
  void describe_readsWhatTheBuildPutOnTheClassPath() {
    assertThat(docs.describe("io.k8s.api.core.v1.Pod")).isNotEmpty();
    assertThat(docs.describe("io.k8s.api.core.v1.PodSpec", "containers")).isNotEmpty();
  }

  /** The words that Kubernetes' own tests of its commands look for in {@code /openapi/v2}. */
  @Test
  void describe_ofListsAndTheirOptions_hasTheWordsThatKubernetesTestsLookFor() {
    String options = "io.k8s.apimachinery.pkg.apis.meta.v1.ListOptions";

    assertThat(docs.describe(options, "labelSelector")).contains("list of returned");
    assertThat(docs.describe(options, "watch"))
        .contains("Watch for changes to the described resources");
    assertThat(docs.describe("io.k8s.api.core.v1.ServiceList", "items"))
        .contains("List of services");
  }

  @Test
  void describe_findsInlinedFieldsWhereTheyAreDeclared() {
    assertThat(docs.describe("io.k8s.api.core.v1.Volume", "hostPath"))
        .isNotEmpty()
        .isEqualTo(docs.describe("io.k8s.api.core.v1.VolumeSource", "hostPath"));
  }

  @Test
  void describe_saysWhatKindAndApiVersionAre() {
    assertThat(docs.describe("io.k8s.api.core.v1.Pod", "kind")).contains("CamelCase");
    assertThat(docs.describe("io.k8s.api.core.v1.Pod", "apiVersion")).contains("group/version");
  }

  @Test
  void describe_ofSomethingUnknown_isEmpty() {
    assertThat(docs.describe("io.k8s.api.core.v1.Nothing")).isEmpty();
    assertThat(docs.describe("nowhere")).isEmpty();
    assertThat(docs.describe("io.k8s.api.core.v1.Pod", "nothing")).isEmpty();
    assertThat(docs.describe("nowhere.Pod", "nothing")).isEmpty();
  }
}
