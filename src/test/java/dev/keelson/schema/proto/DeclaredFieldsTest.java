package dev.keelson.schema.proto;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorSet;
import com.google.protobuf.UnknownFieldSet;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * The fields of every built-in type are those of Kubernetes 1.36, to the number and the name. A
 * line of {@code fields.txt} is a type and its fields, as {@code number:name}; a field that is
 * inlined has no name.
 */
class DeclaredFieldsTest {

  /** Groups that Kubernetes 1.36 does not have: our own, and one that the contract kept. */
  private static final Set<String> OWN_GROUPS =
      Set.of("access/v1", "audit/v1", "auditregistration/v1alpha1");

  /** Types that Kubernetes does not encode as a message, or that it lacks, and an old field. */
  private static final Set<String> OWN =
      Set.of(
          "api/resource/Quantity",
          "apiextensions/v1/CustomResourceSubresourceStatus",
          "apiextensions/v1/JSON",
          "authentication/v1/ExtraValue",
          "authorization/v1/ExtraValue",
          "certificates/v1/ExtraValue",
          "meta/v1/FieldsV1",
          "meta/v1/Initializer",
          "meta/v1/Initializers",
          "meta/v1/MicroTime",
          "meta/v1/Table",
          "meta/v1/TableColumnDefinition",
          "meta/v1/TableRow",
          "meta/v1/TableRowCondition",
          "meta/v1/Time",
          "meta/v1/Verbs",
          "runtime/RawExtension",
          "runtime/TypeMeta",
          "runtime/Unknown",
          "util/intstr/IntOrString");

  /** Only with the feature Initializers, which the contract has. */
  private static final String INITIALIZERS = "16:initializers";

  @Test
  void fields_areThoseOfTheRelease() throws IOException {
    TreeMap<String, String> declared = new TreeMap<>();
    for (FileDescriptorProto file : descriptors().getFileList()) {
      String folder = file.getName().substring(0, Math.max(0, file.getName().lastIndexOf('/')));
      if (!folder.equals("keelson")
          && !folder.startsWith("google")
          && !OWN_GROUPS.contains(folder)) {
        for (DescriptorProto message : file.getMessageTypeList()) {
          declared.put(folder + "/" + message.getName(), fields(message));
        }
      }
    }

    assertThat(declared.keySet()).containsAll(OWN);
    declared.keySet().removeAll(OWN);
    assertThat(declared.entrySet()).containsExactlyElementsOf(expected().entrySet());
  }

  private static FileDescriptorSet descriptors() throws IOException {
    try (InputStream in =
        Objects.requireNonNull(
            DeclaredFieldsTest.class.getResourceAsStream("/keelson/schema.binpb"))) {
      return FileDescriptorSet.parseFrom(in);
    }
  }

  private static String fields(DescriptorProto message) {
    List<FieldDescriptorProto> fields = new ArrayList<>(message.getFieldList());
    fields.sort(Comparator.comparingInt(FieldDescriptorProto::getNumber));
    Set<String> shown = new TreeSet<>(Comparator.comparingInt(DeclaredFieldsTest::number));
    for (FieldDescriptorProto field : fields) {
      boolean inlined = inlined(field);
      String text = field.getNumber() + ":" + (inlined ? "" : field.getJsonName());
      if (!message.getName().equals("ObjectMeta") || !text.equals(INITIALIZERS)) {
        shown.add(text);
      }
    }
    return String.join(" ", shown);
  }

  private static int number(String field) {
    return Integer.parseInt(field.substring(0, field.indexOf(':')));
  }

  /** Whether the option {@code (keelson.field).inline} is set. */
  private static boolean inlined(FieldDescriptorProto field) {
    return field.getOptions().getUnknownFields().getField(50001).getLengthDelimitedList().stream()
        .anyMatch(
            rules -> {
              try {
                return UnknownFieldSet.parseFrom(rules).getField(4).getVarintList().contains(1L);
              } catch (IOException e) {
                throw new IllegalStateException(field.getName(), e);
              }
            });
  }

  private static Map<String, String> expected() throws IOException {
    try (InputStream in =
        Objects.requireNonNull(DeclaredFieldsTest.class.getResourceAsStream("fields.txt"))) {
      Map<String, String> expected = new TreeMap<>();
      for (String line : new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList()) {
        int space = line.indexOf(' ');
        expected.put(
            space < 0 ? line : line.substring(0, space),
            space < 0 ? "" : line.substring(space + 1));
      }
      return expected;
    }
  }
}
