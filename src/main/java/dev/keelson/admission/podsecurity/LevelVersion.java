package dev.keelson.admission.podsecurity;

/**
 * A level in a version.
 *
 * @param level the level
 * @param version the version
 */
public record LevelVersion(Level level, PolicyVersion version) {

  /** Whether pods are checked at all. */
  boolean checks() {
    return level != Level.PRIVILEGED;
  }

  LevelVersion withLevel(Level other) {
    return new LevelVersion(other, version);
  }

  LevelVersion withVersion(PolicyVersion other) {
    return new LevelVersion(level, other);
  }

  /** As labels and messages name it, for example {@code baseline:v1.25}. */
  @Override
  public String toString() {
    return level.text() + ":" + version;
  }
}
