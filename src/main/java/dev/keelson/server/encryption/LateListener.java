package dev.keelson.server.encryption;

import org.jspecify.annotations.Nullable;

/**
 * Passes events on once there is somebody to take them: encryption begins before the metrics do,
 * which miss what was before.
 */
final class LateListener implements EncryptionListener {

  private volatile @Nullable EncryptionListener target;

  void attach(EncryptionListener listener) {
    target = listener;
  }

  @Override
  public void transformed(Direction direction, String prefix, String status, long nanos) {
    EncryptionListener listener = target;
    if (listener != null) {
      listener.transformed(direction, prefix, status, nanos);
    }
  }

  @Override
  public void called(String provider, String method, String status, long nanos) {
    EncryptionListener listener = target;
    if (listener != null) {
      listener.called(provider, method, status, nanos);
    }
  }

  @Override
  public void keyUsed(Direction direction, String provider, String keyId) {
    EncryptionListener listener = target;
    if (listener != null) {
      listener.keyUsed(direction, provider, keyId);
    }
  }

  @Override
  public void cacheMissed() {
    EncryptionListener listener = target;
    if (listener != null) {
      listener.cacheMissed();
    }
  }

  @Override
  public void seedKept(String provider, long seeds) {
    EncryptionListener listener = target;
    if (listener != null) {
      listener.seedKept(provider, seeds);
    }
  }

  @Override
  public void seedGenerated(long nanos) {
    EncryptionListener listener = target;
    if (listener != null) {
      listener.seedGenerated(nanos);
    }
  }

  @Override
  public void keyReported(String provider, String keyId) {
    EncryptionListener listener = target;
    if (listener != null) {
      listener.keyReported(provider, keyId);
    }
  }

  @Override
  public void keyRejected(String provider, String error) {
    EncryptionListener listener = target;
    if (listener != null) {
      listener.keyRejected(provider, error);
    }
  }

  @Override
  public void reloaded(String outcome) {
    EncryptionListener listener = target;
    if (listener != null) {
      listener.reloaded(outcome);
    }
  }

  @Override
  public void applied(String digest) {
    EncryptionListener listener = target;
    if (listener != null) {
      listener.applied(digest);
    }
  }
}
