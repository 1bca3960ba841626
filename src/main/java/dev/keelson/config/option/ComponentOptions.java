package dev.keelson.config.option;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * How a component runs alone, as a client of an API server.
 *
 * @param component which one
 * @param verbosity the log level, 0 to 10
 * @param kubeconfig names the server and the user
 * @param requestsPerSecond of each client in the long run; negative for no limit
 * @param burst requests of each client at once, at least 1
 * @param accountCredentials whether each controller acts as its own service account
 * @param leaseNamespace the namespace of the Lease of the election
 * @param leaseName the name of the Lease of the election
 * @param controllers which controllers run, and the terms of the election
 * @param rootAuthorities the certificates for pods to check the server by; null for those of the
 *     kubeconfig
 * @param serving the port for probes and metrics
 */
public record ComponentOptions(
    Component component,
    int verbosity,
    Path kubeconfig,
    double requestsPerSecond,
    int burst,
    boolean accountCredentials,
    String leaseNamespace,
    String leaseName,
    ControllerOptions controllers,
    @Nullable Path rootAuthorities,
    ComponentServing serving) {

  /** A component that can run alone. */
  public enum Component {
    /** In place of kube-controller-manager. */
    CONTROLLERS("controllers", "kube-controller-manager"),
    /** In place of kube-scheduler. */
    SCHEDULER("scheduler", "kube-scheduler");

    private final String command;
    private final String kubernetes;

    Component(String command, String kubernetes) {
      this.command = command;
      this.kubernetes = kubernetes;
    }

    /** The word behind the name of the executable. */
    public String command() {
      return command;
    }

    /** The name of Kubernetes' program, which is that of the Lease as well. */
    public String kubernetes() {
      return kubernetes;
    }
  }
}
