package dev.keelson.config.component;

import dev.keelson.config.flag.Checks;
import dev.keelson.config.flag.Flag;
import dev.keelson.config.flag.FlagException;
import dev.keelson.config.flag.FlagGroup;
import dev.keelson.config.flag.Settings;
import dev.keelson.config.flag.Values;
import dev.keelson.config.option.KeyPairFiles;
import dev.keelson.config.option.SigningOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Flags of the signers, with the names and defaults of kube-controller-manager. */
final class SigningFlags {

  private static final List<String> SIGNERS =
      List.of(
          "kubelet-serving",
          "kube-apiserver-client-kubelet",
          "kube-apiserver-client",
          "legacy-unknown");

  private final Pair common;
  private final Map<String, Pair> signers = new LinkedHashMap<>();
  private final Flag<Duration> duration;

  private record Pair(Flag<@Nullable Path> certificate, Flag<@Nullable Path> key) {

    static Pair of(FlagGroup group, String name, String purpose) {
      return new Pair(
          group.optional(
              "cluster-signing-" + name + "cert-file",
              "FILE",
              "PEM file with the certificate of the authority that signs " + purpose,
              Values::path),
          group.optional(
              "cluster-signing-" + name + "key-file",
              "FILE",
              "PEM file with the private key of the authority that signs " + purpose,
              Values::path));
    }

    @Nullable KeyPairFiles files(Settings settings) {
      Checks.bothOrNeither(settings, certificate, key);
      Path shown = settings.value(certificate);
      Path secret = settings.value(key);
      return shown == null || secret == null
          ? null
          : new KeyPairFiles(Checks.readable(certificate, shown), Checks.readable(key, secret));
    }
  }

  SigningFlags(FlagGroup group) {
    common =
        Pair.of(
            group,
            "",
            "CertificateSigningRequests; the default is the server's own authority. Not together"
                + " with those of single signers.");
    for (String signer : SIGNERS) {
      // Kubernetes' flag leaves out a part of this signer's name
      String name = signer.equals("kube-apiserver-client-kubelet") ? "kubelet-client" : signer;
      signers.put(
          signer, Pair.of(group, name + "-", "for the signer kubernetes.io/" + signer + "."));
    }
    duration =
        group.single(
            "cluster-signing-duration",
            "DURATION",
            "8760h",
            "How long signed certificates hold; requests may ask for less.",
            Values::duration);
  }

  SigningOptions options(Settings settings) {
    KeyPairFiles all = common.files(settings);
    Map<String, KeyPairFiles> single = new HashMap<>();
    signers.forEach(
        (signer, pair) -> {
          KeyPairFiles files = pair.files(settings);
          if (files != null) {
            if (all != null) {
              throw new FlagException(
                  pair.certificate().dashed()
                      + " cannot be used with "
                      + common.certificate().dashed());
            }
            single.put("kubernetes.io/" + signer, files);
          }
        });
    Duration longest = settings.value(duration);
    if (!longest.isPositive()) {
      throw new FlagException(duration.dashed() + " must be greater than 0");
    }
    return new SigningOptions(all, single, longest);
  }
}
