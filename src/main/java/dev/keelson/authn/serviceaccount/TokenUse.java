package dev.keelson.authn.serviceaccount;

/** What tokens of service accounts are counted as; a use may be several. */
public enum TokenUse {
  /** A token that is stored in a Secret. */
  LEGACY,
  /** One whose Secret was made for its account. */
  LEGACY_GENERATED,
  /** One whose Secret somebody has made. */
  LEGACY_MANUAL,
  /** One that is labelled as invalid, and refused. */
  LEGACY_INVALIDATED,
  /** A requested token that should have been renewed before. */
  STALE,
  /** A requested token that need not be renewed yet. */
  VALID
}
