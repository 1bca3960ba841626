package dev.keelson.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

@KeelsonTest
class AdmissionWebhooksTest {

  private final KeelsonServer server;
  private final KubernetesClient client;
  private final String namespace;

  AdmissionWebhooksTest(
      KeelsonServer server, KubernetesClient client, @KeelsonTest.Namespace String namespace) {
    this.server = server;
    this.client = client;
    this.namespace = namespace;
  }

  private ConfigMap object(String name) {
    ConfigMap object = KeelsonServerTest.configMap(name);
    object.getMetadata().setNamespace(namespace);
    return object;
  }

  @Test
  void validatingHandler_seesTheRequest_andRefuses() throws Exception {
    List<AdmissionRequest> seen = new CopyOnWriteArrayList<>();
    AdmissionWebhook webhook =
        AdmissionWebhook.validating("no-bad-names.example.com", "configmaps").in(namespace);
    try (AutoCloseable endpoint =
        server.admissionWebhook(
            webhook,
            request -> {
              seen.add(request);
              return request.name().startsWith("bad")
                  ? AdmissionResponse.deny("bad name")
                  : AdmissionResponse.allow();
            })) {
      assertThat(endpoint).isNotNull();
      assertThatThrownBy(() -> client.resource(object("bad-one")).create())
          .isInstanceOf(KubernetesClientException.class)
          .hasMessageContaining(
              "admission webhook \"no-bad-names.example.com\" denied the request: bad name");
      client.resource(object("good-one")).create();
    }
    client.resource(object("bad-two")).create();

    assertThat(seen).extracting(AdmissionRequest::name).containsExactly("bad-one", "good-one");
    assertThat(seen.get(1).operation()).isEqualTo("CREATE");
    assertThat(seen.get(1).user()).isEqualTo("kubernetes-admin");
    assertThat(seen.get(1).object()).extractingByKey("data").asString().isEqualTo("{k=v}");
  }

  @Test
  void handlerWithoutAnAnswer_isNamedInTheRefusal() throws Exception {
    AdmissionWebhook webhook =
        AdmissionWebhook.validating("nothing.example.com", "configmaps").in(namespace);
    try (AutoCloseable endpoint = server.admissionWebhook(webhook, request -> null)) {
      assertThat(endpoint).isNotNull();
      // not with a client that tries again after 500
      assertThatThrownBy(
              () ->
                  server.apply(
                      "{apiVersion: v1, kind: ConfigMap, metadata: {name: unanswered}}", namespace))
          .isInstanceOf(KeelsonException.class)
          .hasMessageContaining("the handler of the test returned null");
    }
  }

  @Test
  void mutatingHandler_changesTheObject() throws Exception {
    AdmissionWebhook webhook =
        AdmissionWebhook.mutating("labels.example.com", "configmaps").in(namespace);
    try (AutoCloseable endpoint =
        server.admissionWebhook(
            webhook,
            request ->
                AdmissionResponse.patch(
                    "[{\"op\": \"add\", \"path\": \"/data/by\", \"value\": \"webhook\"}]"))) {
      assertThat(endpoint).isNotNull();
      assertThat(client.resource(object("changed")).create().getData())
          .containsEntry("by", "webhook");
    }
  }
}
