package dev.keelson.server.controller;

import dev.keelson.config.option.ControllerOptions;
import dev.keelson.config.option.KeyPairFiles;
import dev.keelson.config.option.SigningOptions;
import dev.keelson.controller.certificate.ApprovingController;
import dev.keelson.controller.certificate.CleaningController;
import dev.keelson.controller.certificate.SigningAuthority;
import dev.keelson.controller.certificate.SigningController;
import dev.keelson.controller.manager.ControllerFactory;
import dev.keelson.controller.resourceclaim.ResourceClaimController;
import dev.keelson.controller.storagemigration.StorageVersionMigrator;
import dev.keelson.controller.storageversion.StorageVersionGarbageCollector;
import dev.keelson.controller.token.BootstrapSigner;
import dev.keelson.controller.token.LegacyTokenCleaner;
import dev.keelson.controller.token.TokenCleaner;
import dev.keelson.controller.volume.AttachDetachController;
import dev.keelson.controller.volume.ClaimExpansion;
import dev.keelson.controller.volume.EphemeralClaims;
import dev.keelson.controller.volume.VolumeBinder;
import dev.keelson.server.pki.Identity;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The controllers of certificates, volumes, claims and tokens, which run in one server at a time,
 * by kube-controller-manager's names.
 */
final class ClusterControllers {

  private static final List<String> SIGNERS =
      List.of(
          "kubernetes.io/kubelet-serving",
          "kubernetes.io/kube-apiserver-client-kubelet",
          "kubernetes.io/kube-apiserver-client",
          "kubernetes.io/legacy-unknown");

  private ClusterControllers() {}

  /**
   * The enabled ones.
   *
   * @param own signs requests for certificates when no other authority is configured; null for
   *     none, and without any nothing signs them
   */
  static List<ControllerFactory> of(ControllerOptions options, @Nullable SigningAuthority own) {
    List<ControllerFactory> all = new ArrayList<>();
    all.add(
        new ControllerFactory(
            "certificatesigningrequest-approving-controller", ApprovingController::new));
    all.add(
        new ControllerFactory(
            "certificatesigningrequest-cleaner-controller", CleaningController::new));
    Map<String, SigningAuthority.Source> authorities = authorities(options.signing(), own);
    if (!authorities.isEmpty()) {
      all.add(
          new ControllerFactory(
              "certificatesigningrequest-signing-controller",
              context ->
                  new SigningController(context, authorities, options.signing().duration())));
    }
    all.add(new ControllerFactory("persistentvolume-binder-controller", VolumeBinder::new));
    all.add(new ControllerFactory("persistentvolume-expander-controller", ClaimExpansion::new));
    all.add(new ControllerFactory(AttachDetachController.NAME, AttachDetachController::new));
    all.add(new ControllerFactory("ephemeral-volume-controller", EphemeralClaims::new));
    all.add(new ControllerFactory("resourceclaim-controller", ResourceClaimController::new));
    all.add(new ControllerFactory("bootstrap-signer-controller", BootstrapSigner::new));
    all.add(new ControllerFactory("token-cleaner-controller", TokenCleaner::new));
    all.add(
        new ControllerFactory(
            "legacy-serviceaccount-token-cleaner-controller",
            context -> new LegacyTokenCleaner(context, options.tokenPeriod())));
    all.add(
        new ControllerFactory(
            StorageVersionGarbageCollector.NAME, StorageVersionGarbageCollector::new));
    all.add(new ControllerFactory(StorageVersionMigrator.NAME, StorageVersionMigrator::new));
    return all.stream().filter(each -> options.enabled(each.name())).toList();
  }

  /** With files for single signers, the others do not sign. */
  private static Map<String, SigningAuthority.Source> authorities(
      SigningOptions options, @Nullable SigningAuthority own) {
    Map<String, SigningAuthority.Source> authorities = new HashMap<>();
    options.signers().forEach((signer, files) -> authorities.put(signer, () -> read(files)));
    if (authorities.isEmpty()) {
      KeyPairFiles common = options.common();
      SigningAuthority.Source source =
          common != null ? () -> read(common) : own != null ? () -> own : null;
      if (source != null) {
        SIGNERS.forEach(signer -> authorities.put(signer, source));
      }
    }
    return authorities;
  }

  private static SigningAuthority read(KeyPairFiles files) {
    Identity identity = Identity.read(files.key(), files.certificate());
    if (!identity.matches()) {
      throw new IllegalStateException(
          files.key() + " is not the key of the certificate " + files.certificate());
    }
    return new SigningAuthority(identity.key(), identity.certificate());
  }
}
