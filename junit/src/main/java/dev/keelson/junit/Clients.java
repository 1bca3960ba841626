package dev.keelson.junit;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.util.ClientBuilder;
import io.kubernetes.client.util.KubeConfig;
import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.util.concurrent.TimeUnit;

/** Makes clients; each class is loaded only if the test has the library that it names. */
final class Clients {

  private static final int PATIENCE_MILLIS = 60_000;

  private Clients() {}

  /** Clients of fabric8. */
  static final class Fabric8 {

    private Fabric8() {}

    static KubernetesClient of(String kubeconfig, String namespace) {
      Config config = Config.fromKubeconfig(kubeconfig);
      config.setNamespace(namespace);
      // a machine that builds is busy
      config.setConnectionTimeout(PATIENCE_MILLIS);
      config.setRequestTimeout(PATIENCE_MILLIS);
      return new KubernetesClientBuilder().withConfig(config).build();
    }
  }

  /** Clients of the project Kubernetes. */
  static final class Official {

    private Official() {}

    static ApiClient of(String kubeconfig) {
      try {
        ApiClient client =
            ClientBuilder.kubeconfig(KubeConfig.loadKubeConfig(new StringReader(kubeconfig)))
                .build();
        // watches last longer than the default of ten seconds
        client.setHttpClient(
            client.getHttpClient().newBuilder().readTimeout(0, TimeUnit.SECONDS).build());
        return client;
      } catch (IOException e) {
        throw new UncheckedIOException("cannot make the client", e);
      }
    }
  }
}
