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
import dev.keelson.value.Cidr;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where the server listens, with which certificate, and how it goes down. */
final class ServingFlags {

  private final Flag<InetAddress> bindAddress;
  private final Flag<Integer> securePort;
  private final Flag<@Nullable InetAddress> advertiseAddress;
  private final Flag<@Nullable Path> certDir;
  private final Flag<@Nullable Path> certFile;
  private final Flag<@Nullable Path> keyFile;
  private final Flag<List<String>> extraSan;
  private final Flag<List<Cidr>> serviceRange;
  private final Flag<PortRange> nodePorts;
  private final Flag<Duration> shutdownDelay;
  private final Flag<Duration> shutdownGrace;
  private final TlsFlags tls;

  ServingFlags(FlagGroup group) {
    bindAddress =
        group.single(
            "bind-address",
            "IP",
            "127.0.0.1",
            "The address to listen on; 0.0.0.0 or :: is every address of the machine.",
            Values::address);
    securePort =
        group.single(
            "secure-port",
            "PORT",
            "6443",
            "The port for HTTPS; there is no other. 0 takes a free one, which the ready line"
                + " names.",
            Values.integer(0, 65535));
    advertiseAddress =
        group.optional(
            "advertise-address",
            "IP",
            "The address that others reach the server by, for the certificate and the kubeconfig;"
                + " the bind address if absent.",
            Values::address);
    certDir =
        group.optional(
            "cert-dir",
            "DIR",
            "Where the certificates are kept that the server makes; pki in the data directory if"
                + " absent.",
            Values::path);
    certFile =
        group.optional(
            "tls-cert-file",
            "FILE",
            "The serving certificate in PEM, followed by its intermediates; made by the server if"
                + " absent.",
            Values::path);
    keyFile =
        group.optional(
            "tls-private-key-file",
            "FILE",
            "The private key in PEM that belongs to --tls-cert-file.",
            Values::path);
    extraSan =
        group.list(
            "extra-san",
            "NAME",
            "More DNS names or IP addresses for the certificate that the server makes.",
            Values::text);
    serviceRange =
        group.single(
            "service-cluster-ip-range",
            "CIDR",
            "10.0.0.0/24",
            "The addresses for Services: one range, or an IPv4 and an IPv6 range with a comma"
                + " between them, the preferred one first. The first address is the kubernetes"
                + " Service's, and is in the certificate.",
            Values::ranges);
    nodePorts =
        group.single(
            "service-node-port-range",
            "FIRST-LAST",
            "30000-32767",
            "The ports of nodes for Services of type NodePort and LoadBalancer.",
            Values::ports);
    shutdownDelay =
        group.single(
            "shutdown-delay-duration",
            "DURATION",
            "0s",
            "How long to go on serving after a request to stop, with /readyz failing, so that load"
                + " balancers can turn away.",
            Values::duration);
    shutdownGrace =
        group.single(
            "shutdown-grace-period",
            "DURATION",
            "5s",
            "How long running requests may take to finish after that; new ones are told to come"
                + " back.",
            Values::duration);
    tls = new TlsFlags(group);
  }

  /**
   * The options.
   *
   * @param dataDir where the certificates go without --cert-dir
   * @throws FlagException naming the flag that is wrong, or the two that do not go together
   */
  ServingOptions options(Settings settings, Path dataDir) {
    Path certificate = settings.value(certFile);
    Path key = settings.value(keyFile);
    if ((certificate == null) != (key == null)) {
      throw new FlagException(
          (certificate == null ? keyFile.dashed() : certFile.dashed())
              + " needs "
              + (certificate == null ? certFile.dashed() : keyFile.dashed())
              + " as well");
    }
    KeyPairFiles given = null;
    if (certificate != null && key != null) {
      given =
          new KeyPairFiles(Checks.readable(certFile, certificate), Checks.readable(keyFile, key));
    }
    Path directory = settings.value(certDir);
    if (directory != null && Files.exists(directory) && !Files.isDirectory(directory)) {
      throw new FlagException(certDir.dashed() + ": " + directory + " is not a directory");
    }
    List<Cidr> ranges = settings.value(serviceRange);
    for (Cidr range : ranges) {
      if (range.prefixLength() > range.family().bits() - 2) {
        throw new FlagException(serviceRange.dashed() + ": " + range + " has too few addresses");
      }
    }
    return new ServingOptions(
        settings.value(bindAddress),
        settings.value(securePort),
        settings.value(advertiseAddress),
        directory == null ? dataDir.resolve("pki") : directory,
        given,
        settings.value(extraSan),
        ranges,
        settings.value(nodePorts),
        settings.value(shutdownDelay),
        settings.value(shutdownGrace),
        tls.options(settings));
  }
}
