package dev.keelson.server;

import dev.keelson.config.option.EncryptionOptions;
import dev.keelson.config.option.ServerOptions;
import dev.keelson.server.encryption.EncryptionService;
import dev.keelson.server.lifecycle.StartupException;
import dev.keelson.server.metrics.LabelAllowList;
import dev.keelson.server.pki.PrivateFiles;
import dev.keelson.server.store.OverrideStore;
import dev.keelson.server.store.Stores;
import dev.keelson.server.tls.Certificates;
import dev.keelson.server.tracing.TracingConfiguration;
import dev.keelson.storage.RevisionedStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * The files and the store, opened before Quarkus starts, so that an invalid flag ends the process
 * before anything else is loaded.
 *
 * @param store the store without metrics and encryption
 * @param overrides the stores of some resources, in the same form
 * @param encryption encryption at rest; null without it
 * @param tracing where traces go; null without tracing
 * @param labels the values that labels of metrics may have
 */
record OpenedResources(
    ServerOptions options,
    Certificates certificates,
    RevisionedStore store,
    List<OverrideStore> overrides,
    @Nullable EncryptionService encryption,
    @Nullable TracingConfiguration tracing,
    LabelAllowList labels,
    InstantSource clock) {

  /**
   * Creates the data directory, reads or creates certificates and opens the store; blocks.
   *
   * @throws StartupException naming the invalid flag
   * @throws dev.keelson.server.pki.PkiException if a certificate or key cannot be used
   * @throws dev.keelson.storage.StorageException if the store cannot be used
   */
  static OpenedResources open(ServerOptions options, InstantSource clock) {
    return open(options, clock, Runnable::run);
  }

  /**
   * Opens them with the certificates in another thread than the store.
   *
   * @param certificateThread runs the task that reads or creates the certificates
   */
  static OpenedResources open(
      ServerOptions options, InstantSource clock, Executor certificateThread) {
    createDataDirectory(options.dataDir());
    CompletableFuture<Certificates> certificates =
        CompletableFuture.supplyAsync(
            () -> Certificates.open(options.serving(), clock.instant()), certificateThread);
    if (certificates.isCompletedExceptionally()) {
      Certificates unused = join(certificates);
    }
    EncryptionOptions encrypted = options.encryption();
    EncryptionService encryption =
        encrypted == null ? null : EncryptionService.open(encrypted, clock);
    Path traced = options.observation().tracingConfigFile();
    TracingConfiguration tracing = traced == null ? null : TracingConfiguration.read(traced);
    LabelAllowList labels = LabelAllowList.of(options.web());
    RevisionedStore store = Stores.open(options.storage(), clock);
    Certificates joined;
    try {
      joined = join(certificates);
    } catch (RuntimeException e) {
      store.close();
      throw e;
    }
    return new OpenedResources(
        options,
        joined,
        store,
        Stores.overrides(options.storage()),
        encryption,
        tracing,
        labels,
        clock);
  }

  private static Certificates join(CompletableFuture<Certificates> certificates) {
    try {
      return certificates.join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw e;
    }
  }

  /** Closes the stores. */
  void closeStores() {
    overrides.forEach(override -> override.store().close());
    store.close();
  }

  /** The same with another store. */
  OpenedResources withStore(RevisionedStore other) {
    return new OpenedResources(
        options, certificates, other, overrides, encryption, tracing, labels, clock);
  }

  /** The directory holds secrets: it is created accessible to its owner only. */
  private static void createDataDirectory(Path directory) {
    try {
      Files.createDirectories(directory, PrivateFiles.ownerOnlyDirectory());
    } catch (IOException e) {
      throw new StartupException("--data-dir: cannot create " + directory + ": " + e, e);
    }
  }
}
