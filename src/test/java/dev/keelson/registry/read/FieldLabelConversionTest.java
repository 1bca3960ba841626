package dev.keelson.registry.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.keelson.api.ApiException;
import dev.keelson.api.FieldSelector;
import dev.keelson.api.GroupVersion;
import dev.keelson.api.LabelSelector;
import dev.keelson.api.Reason;
import dev.keelson.schema.BuiltInResources;
import dev.keelson.schema.ResourceCatalog;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.proto.ProtoSchemas;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FieldLabelConversionTest {

  private static final ResourceCatalog CATALOG =
      new ResourceCatalog(BuiltInResources.all(ProtoSchemas.fromClassPath()::struct));

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          v1                     | pods       | spec.nodeName=a,status.podIPs=x | spec.nodeName=a,status.podIPs=x
          v1                     | pods       | spec.host!=a          | spec.nodeName!=a
          v1                     | nodes      | metadata.name=a       | metadata.name=a
          v1                     | secrets    | metadata.namespace=a  | metadata.namespace=a
          v1                     | persistentvolumes | metadata.namespace=a | metadata.namespace=a
          batch/v1beta1          | cronjobs   | status.successful=1   | status.successful=1
          """)
  void fields_thatTheTypeKnows_areMeantByTheirNewName(
      String version, String resource, String fields, String meant) {
    assertThat(known(version, resource, fields)).isEqualTo(FieldSelector.parse(meant));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          v1            | configmaps  | data.a=b             | "data.a" is not a known field selector: only "metadata.name", "metadata.namespace"
          v1            | pods        | spec.x=b             | field label not supported: spec.x
          v1            | services    | spec.host=b          | field label not supported: spec.host
          v1            | nodes       | metadata.namespace=b | field label not supported: metadata.namespace
          v1            | namespaces  | metadata.namespace=b | field label not supported: metadata.namespace
          certificates.k8s.io/v1 | certificatesigningrequests | metadata.namespace=b | field label not supported: metadata.namespace
          apps/v1       | statefulsets | status.successful=1 | "status.successful" is not a known field selector: only "metadata.name", "metadata.namespace"
          batch/v1      | jobs        | spec.x=b             | field label "spec.x" not supported for batchv1.Job
          batch/v1      | cronjobs    | status.successful=1  | "status.successful" is not a known field selector: only "metadata.name", "metadata.namespace"
          batch/v1beta1 | cronjobs    | spec.x=b             | field label "spec.x" not supported for "CronJob"
          extensions/v1beta1 | deployments | spec.x=b        | field label "spec.x" not supported for "Deployment"
          """)
  void fields_thatTheTypeDoesNotKnow_areRefusedInItsWords(
      String version, String resource, String fields, String message) {
    ApiException refusal =
        catchThrowableOfType(ApiException.class, () -> known(version, resource, fields));

    assertThat(refusal.reason()).isEqualTo(Reason.BAD_REQUEST);
    assertThat(refusal.text()).isEqualTo(message);
  }

  private static FieldSelector known(String version, String resource, String fields) {
    ResourceDefinition definition =
        CATALOG.snapshot().find(GroupVersion.parse(version).resource(resource)).orElseThrow();
    return FieldLabelConversion.convert(
            definition, new ListQuery(LabelSelector.EVERYTHING, FieldSelector.parse(fields)))
        .fields();
  }
}
