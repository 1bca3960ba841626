package dev.keelson.config.option;

import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which authorities sign CertificateSigningRequests.
 *
 * @param common the files of the authority of all signers; null for those of each signer, or the
 *     server's own authority if there are none either
 * @param signers the files of the authority of a signer, by the signer's name
 * @param duration how long certificates hold that do not ask for less
 */
public record SigningOptions(
    @Nullable KeyPairFiles common, Map<String, KeyPairFiles> signers, Duration duration) {

  public SigningOptions {
    signers = Map.copyOf(signers);
  }
}
