package dev.keelson.config;

import dev.keelson.config.flag.Checks;
import dev.keelson.config.flag.Flag;
import dev.keelson.config.flag.FlagException;
import dev.keelson.config.flag.FlagGroup;
import dev.keelson.config.flag.Settings;
import dev.keelson.config.flag.Values;
import dev.keelson.config.option.KeyPairFiles;
import dev.keelson.config.option.PortRange;
import dev.keelson.config.option.ServingOptions;
import dev.keelson.config.option.ShutdownOptions;
import dev.keelson.value.Cidr;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Flags of the listener, its certificate, the Service ranges and the shutdown. */
final class ServingFlags {

  private final Flag<@Nullable InetAddress> bindAddress;
  private final Flag<Integer> securePort;
  private final Flag<Integer> httpPort;
  private final Flag<List<Cidr>> trustedProxies;
  private final Flag<@Nullable InetAddress> advertiseAddress;
  private final Flag<@Nullable Path> certDir;
  private final Flag<@Nullable Path> certFile;
  private final Flag<@Nullable Path> keyFile;
  private final Flag<List<String>> extraSan;
  private final Flag<List<Cidr>> serviceRange;
  private final Flag<PortRange> nodePorts;
  private final Flag<Duration> shutdownDelay;
  private final Flag<Duration> shutdownGrace;
  private final Flag<Duration> shutdownWatchGrace;
  private final Flag<Boolean> shutdownRetryAfter;
  private final TlsFlags tls;

  ServingFlags(FlagGroup group) {
    bindAddress =
        group.optional(
            "bind-address",
            "IP",
            "IP address to listen on; 0.0.0.0 or :: listens on all addresses of the machine."
                + " Defaults to all addresses if --advertise-address is no loopback address, else"
                + " to 127.0.0.1.",
            Values::address);
    securePort =
        group.single(
            "secure-port",
            "PORT",
            "6443",
            "Port to serve HTTPS on. 0 chooses a free port, which the ready line shows.",
            Values.integer(0, 65535));
    httpPort =
        group.single(
            "http-port",
            "PORT",
            "0",
            "Port to serve plain HTTP on, HTTP/1.1 and HTTP/2 without TLS, beside HTTPS: for"
                + " platforms that end TLS themselves, such as Knative. Clients authenticate by"
                + " tokens, not by certificates. Refused with AlwaysAllow while anonymous requests"
                + " are enabled. 0 serves no plain HTTP.",
            Values.integer(0, 65535));
    trustedProxies =
        group.list(
            "trusted-proxies",
            "CIDR",
            "Addresses of proxies whose X-Forwarded-For and X-Real-Ip are believed, in audit events"
                + " and towards extension servers. By default everybody is believed over HTTPS, as"
                + " in Kubernetes, and nobody over plain HTTP.",
            Values::range);
    advertiseAddress =
        group.optional(
            "advertise-address",
            "IP",
            "IP address under which clients reach the server, for the serving certificate and"
                + " the kubeconfig. Defaults to the bind address.",
            Values::address);
    certDir =
        group.optional(
            "cert-dir",
            "DIR",
            "Directory for generated certificates and keys. Defaults to pki in the data"
                + " directory.",
            Values::path);
    certFile =
        group.optional(
            "tls-cert-file",
            "FILE",
            "Serving certificate in PEM, followed by intermediate certificates. Generated if"
                + " absent.",
            Values::path);
    keyFile =
        group.optional(
            "tls-private-key-file",
            "FILE",
            "Private key in PEM that matches --tls-cert-file.",
            Values::path);
    extraSan =
        group.list(
            "extra-san",
            "NAME",
            "Additional DNS names or IP addresses for the generated serving certificate.",
            Values::text);
    serviceRange =
        group.single(
            "service-cluster-ip-range",
            "CIDR",
            "10.0.0.0/24",
            "CIDR range for the cluster IPs of Services, or an IPv4 and an IPv6 range"
                + " separated by a comma, the preferred family first. The ServiceCIDR kubernetes is"
                + " created with it. The first address belongs to the Service kubernetes and is in"
                + " the generated certificate.",
            Values::ranges);
    nodePorts =
        group.single(
            "service-node-port-range",
            "FIRST-LAST",
            "30000-32767",
            "Port range for Services of type NodePort and LoadBalancer.",
            Values::ports);
    shutdownDelay =
        group.single(
            "shutdown-delay-duration",
            "DURATION",
            "0s",
            "How long to continue serving after a termination signal, with /readyz failing, so"
                + " that load balancers stop sending requests.",
            // source: apiserver, server/options, server_run_options.go
            Values.durationOr("--shutdown-delay-duration can not be negative value"));
    shutdownGrace =
        group.single(
            "shutdown-grace-period",
            "DURATION",
            "5s",
            "How long requests in flight may take to finish after the shutdown delay; new"
                + " requests are rejected.",
            Values::duration);
    shutdownWatchGrace =
        group.single(
            "shutdown-watch-termination-grace-period",
            "DURATION",
            "0s",
            "Time after the shutdown delay over which watches end, at least 200 a second, so that"
                + " their clients do not all reconnect at once; 0 ends all at once.",
            Values.durationOr(
                "shutdown-watch-termination-grace-period, if provided, can not be a negative"
                    + " value"));
    shutdownRetryAfter =
        group.toggle(
            "shutdown-send-retry-after",
            false,
            "After the shutdown delay, listen until the requests in flight have finished and answer"
                + " further requests with 429 and Retry-After, instead of accepting no more"
                + " connections. Health checks and metrics are served in any case.");
    tls = new TlsFlags(group);
  }

  /** One line for each setting that is accepted without its full effect. */
  List<String> warnings(Settings settings) {
    return tls.warnings(settings);
  }

  /** A server that others shall reach at an address listens on it. */
  private InetAddress bindAddress(Settings settings) {
    InetAddress given = settings.value(bindAddress);
    if (given != null) {
      return given;
    }
    InetAddress advertised = settings.value(advertiseAddress);
    if (advertised == null || advertised.isLoopbackAddress()) {
      return Values.address("127.0.0.1");
    }
    return Values.address(advertised.getAddress().length == 4 ? "0.0.0.0" : "::");
  }

  /**
   * The options.
   *
   * @param dataDir the data directory, for the default of --cert-dir
   * @throws FlagException naming the invalid flag or the conflicting flags
   */
  ServingOptions options(Settings settings, Path dataDir) {
    Path certificate = settings.value(certFile);
    Path key = settings.value(keyFile);
    Checks.bothOrNeither(settings, certFile, keyFile);
    KeyPairFiles given = null;
    if (certificate != null && key != null) {
      given =
          new KeyPairFiles(Checks.readable(certFile, certificate), Checks.readable(keyFile, key));
    }
    Path directory = settings.value(certDir);
    if (directory != null && Files.exists(directory) && !Files.isDirectory(directory)) {
      throw new FlagException(certDir.dashed() + ": " + directory + " is not a directory");
    }
    int plain = settings.value(httpPort);
    if (plain > 0 && plain == settings.value(securePort)) {
      throw new FlagException(
          httpPort.dashed() + ": " + plain + " is the port of " + securePort.dashed());
    }
    List<Cidr> ranges = settings.value(serviceRange);
    for (Cidr range : ranges) {
      if (range.prefixLength() > range.family().bits() - 2) {
        throw new FlagException(serviceRange.dashed() + ": " + range + " has too few addresses");
      }
    }
    return new ServingOptions(
        bindAddress(settings),
        settings.value(securePort),
        settings.value(advertiseAddress),
        directory == null ? dataDir.resolve("pki") : directory,
        given,
        settings.value(extraSan),
        ranges,
        settings.value(nodePorts),
        new ShutdownOptions(
            settings.value(shutdownDelay),
            settings.value(shutdownGrace),
            settings.value(shutdownWatchGrace),
            settings.value(shutdownRetryAfter)),
        tls.options(settings),
        new ServingOptions.PlainHttp(plain, settings.value(trustedProxies)));
  }
}
