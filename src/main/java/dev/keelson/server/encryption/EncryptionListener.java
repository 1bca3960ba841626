package dev.keelson.server.encryption;

import dev.keelson.storage.encryption.TransformationListener;
import dev.keelson.storage.encryption.kms.KmsListener;

/** Takes what metrics tell about encryption at rest; called on the thread that encrypts. */
interface EncryptionListener extends TransformationListener, KmsListener {

  /** A service told which key it encrypts with. */
  void keyReported(String provider, String keyId);

  /**
   * A service told a key that is not allowed.
   *
   * @param error {@code empty} or {@code too_long}
   */
  void keyRejected(String provider, String error);

  /**
   * A changed file was applied or rejected.
   *
   * @param outcome {@code success} or {@code failure}
   */
  void reloaded(String outcome);

  /**
   * A configuration is in effect.
   *
   * @param digest of its file
   */
  void applied(String digest);
}
