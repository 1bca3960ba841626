package dev.keelson.config;

import dev.keelson.config.flag.Checks;
import dev.keelson.config.flag.Flag;
import dev.keelson.config.flag.FlagException;
import dev.keelson.config.flag.FlagGroup;
import dev.keelson.config.flag.Settings;
import dev.keelson.config.flag.Values;
import dev.keelson.config.option.KeyPairFiles;
import dev.keelson.config.option.KubeletOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Flags of the connections to kubelets. */
final class KubeletFlags {

  private static final int MOST_PORT = 65_535;

  private final Flag<@Nullable Path> certificate;
  private final Flag<@Nullable Path> key;
  private final Flag<@Nullable Path> authority;
  private final Flag<List<String>> addressTypes;
  private final Flag<Duration> timeout;
  private final Flag<Integer> port;
  private final Flag<Boolean> localAddresses;

  KubeletFlags(FlagGroup group) {
    certificate =
        group.optional(
            "kubelet-client-certificate",
            "FILE",
            "Client certificate in PEM for connections to kubelets; reloaded when it changes.",
            Values::path);
    key =
        group.optional(
            "kubelet-client-key",
            "FILE",
            "Private key in PEM of --kubelet-client-certificate.",
            Values::path);
    authority =
        group.optional(
            "kubelet-certificate-authority",
            "FILE",
            "Certificate authorities in PEM of the kubelets' certificates, which are not verified"
                + " without this flag; reloaded when it changes.",
            Values::path);
    addressTypes =
        group.listOr(
            "kubelet-preferred-address-types",
            "TYPE",
            "Hostname,InternalDNS,InternalIP,ExternalDNS,ExternalIP",
            "Types of node addresses at which kubelets are reached, the preferred first.",
            Values::text);
    timeout =
        group.single(
            "kubelet-timeout",
            "DURATION",
            "5s",
            "Maximum duration of connecting to a kubelet, a pod or a service.",
            Values::duration);
    port =
        group.single(
            "kubelet-port",
            "PORT",
            "10250",
            "Port of kubelets whose nodes do not report theirs.",
            Values.integer(1, MOST_PORT));
    localAddresses =
        group.toggle(
            "kubelet-allow-local-addresses",
            false,
            "Connect to kubelets at loopback and link-local addresses as well.");
  }

  KubeletOptions options(Settings settings) {
    Path shown = settings.value(certificate);
    Path secret = settings.value(key);
    if ((shown == null) != (secret == null)) {
      Flag<?> one = shown == null ? key : certificate;
      Flag<?> other = shown == null ? certificate : key;
      throw new FlagException(one.dashed() + " needs " + other.dashed() + " as well");
    }
    KeyPairFiles pair =
        shown == null || secret == null
            ? null
            : new KeyPairFiles(Checks.readable(certificate, shown), Checks.readable(key, secret));
    Path trusted = settings.value(authority);
    return new KubeletOptions(
        pair,
        trusted == null ? null : Checks.readable(authority, trusted),
        settings.value(addressTypes),
        settings.value(timeout),
        settings.value(port),
        settings.value(localAddresses));
  }
}
