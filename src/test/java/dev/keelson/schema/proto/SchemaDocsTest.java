package dev.keelson.schema.proto;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SchemaDocsTest {

  private static final String META = "io.k8s.apimachinery.pkg.apis.meta.v1.";

  private final SchemaDocs docs = SchemaDocs.fromClassPath();

  @Test
  void describe_givesTheCommentOfAMessageInOneLine() {
    assertThat(docs.describe(META + "APIGroupList")).isEqualTo("A list of APIGroup objects.");
  }

  @Test
  void describe_givesTheCommentOfAField() {
    assertThat(docs.describe(META + "Condition", "status"))
        .isEqualTo("Whether it holds: True, False or Unknown.");
  }

  @Test
  void describe_findsInlinedFieldsWhereTheyAreDeclared() {
    assertThat(docs.describe("io.k8s.api.core.v1.Volume", "hostPath"))
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
