package dev.keelson.junit;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.kubernetes.client.openapi.ApiClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A user of a server, with a client certificate. */
public final class TestUser {

  private final KeelsonServer server;
  private final String name;
  private final String kubeconfig;
  private final String namespace;

  TestUser(KeelsonServer server, String name, String kubeconfig, String namespace) {
    this.server = server;
    this.name = name;
    this.kubeconfig = kubeconfig;
    this.namespace = namespace;
  }

  /** The same user, whose kubeconfig and clients have this namespace by default. */
  TestUser in(String other) {
    String context = "  context:\n";
    if (!kubeconfig.contains(context)) {
      throw new IllegalStateException("a kubeconfig without a context");
    }
    String text = kubeconfig.replace(context, context + "    namespace: " + other + "\n");
    return new TestUser(server, name, text, other);
  }

  /** The name, as RBAC and the audit log know it. */
  public String name() {
    return name;
  }

  /** The text of the kubeconfig; one that is injected has the namespace of the class. */
  public String kubeconfig() {
    return kubeconfig;
  }

  /** Writes the kubeconfig into a new file, which goes with the server. */
  public Path kubeconfigFile() {
    try {
      Path file =
          Files.createTempFile(
              server.auditFile().toAbsolutePath().getParent(), "user", ".kubeconfig");
      return Files.writeString(file, kubeconfig);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write the kubeconfig", e);
    }
  }

  /**
   * A new client of fabric8, which the caller closes: in the namespace of the class for a user that
   * is injected, else in {@code default}.
   */
  public KubernetesClient fabric8() {
    return fabric8(namespace);
  }

  /** A new client of fabric8, which the caller closes. */
  public KubernetesClient fabric8(String namespace) {
    return Clients.Fabric8.of(kubeconfig, namespace);
  }

  /** A new client of the Java client. */
  public ApiClient javaClient() {
    return Clients.Official.of(kubeconfig);
  }

  @Override
  public String toString() {
    return name;
  }
}
