package dev.keelson.junit;

import java.util.List;

/**
 * Which requests an {@link AdmissionHandler} reviews.
 *
 * @param name the name of the webhook and of its configuration: three words with dots, such as
 *     {@code widgets.example.com}
 * @param mutating whether it may change objects
 * @param groups the API groups; the empty text is the core group, {@code *} all
 * @param versions the versions, {@code *} for all
 * @param resources the resources, as in RBAC
 * @param operations {@code CREATE}, {@code UPDATE}, {@code DELETE}, {@code CONNECT}
 * @param namespace the namespace of the requests; empty for all, and for cluster-scoped resources
 * @param failClosed whether requests fail when the handler cannot be reached
 */
public record AdmissionWebhook(
    String name,
    boolean mutating,
    List<String> groups,
    List<String> versions,
    List<String> resources,
    List<String> operations,
    String namespace,
    boolean failClosed) {

  public AdmissionWebhook {
    groups = List.copyOf(groups);
    versions = List.copyOf(versions);
    resources = List.copyOf(resources);
    operations = List.copyOf(operations);
  }

  /** Reviews creates and updates of resources of any group, without changing them. */
  public static AdmissionWebhook validating(String name, String... resources) {
    return of(name, false, resources);
  }

  /** Reviews creates and updates of resources of any group, and may change the objects. */
  public static AdmissionWebhook mutating(String name, String... resources) {
    return of(name, true, resources);
  }

  private static AdmissionWebhook of(String name, boolean mutating, String... resources) {
    return new AdmissionWebhook(
        name,
        mutating,
        List.of("*"),
        List.of("*"),
        List.of(resources),
        List.of("CREATE", "UPDATE"),
        "",
        true);
  }

  /** The same for requests of a namespace. */
  public AdmissionWebhook in(String namespace) {
    return new AdmissionWebhook(
        name, mutating, groups, versions, resources, operations, namespace, failClosed);
  }

  /** The same for other operations. */
  public AdmissionWebhook operations(String... operations) {
    return new AdmissionWebhook(
        name, mutating, groups, versions, resources, List.of(operations), namespace, failClosed);
  }

  /** The configuration, as JSON. */
  String configuration(String url, String authorityBase64) {
    String selector =
        namespace.isEmpty()
            ? "{}"
            : "{\"matchLabels\": {\"kubernetes.io/metadata.name\": \"" + namespace + "\"}}";
    return """
        {"apiVersion": "admissionregistration.k8s.io/v1", "kind": "%s", "metadata": {"name": "%s"},
         "webhooks": [{"name": "%s", "admissionReviewVersions": ["v1"], "sideEffects": "None",
           "failurePolicy": "%s", "timeoutSeconds": 10, "namespaceSelector": %s,
           "clientConfig": {"url": "%s", "caBundle": "%s"},
           "rules": [{"apiGroups": %s, "apiVersions": %s, "resources": %s, "operations": %s}]}]}
        """
        .formatted(
            kind(),
            name,
            name,
            failClosed ? "Fail" : "Ignore",
            selector,
            url,
            authorityBase64,
            array(groups),
            array(versions),
            array(resources),
            array(operations));
  }

  String kind() {
    return mutating ? "MutatingWebhookConfiguration" : "ValidatingWebhookConfiguration";
  }

  String plural() {
    return mutating ? "mutatingwebhookconfigurations" : "validatingwebhookconfigurations";
  }

  private static String array(List<String> words) {
    return "[\"" + String.join("\",\"", words) + "\"]";
  }
}
