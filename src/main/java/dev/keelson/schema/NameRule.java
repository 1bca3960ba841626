package dev.keelson.schema;

/** What an object's name must look like. */
public enum NameRule {
  /** RFC 1123 subdomain, at most 253 characters. */
  DNS_SUBDOMAIN,
  /** RFC 1123 label, at most 63 characters. */
  DNS_LABEL,
  /** RFC 1035 label, at most 63 characters: begins with a letter (Services). */
  DNS_1035_LABEL,
  /** Anything that can be one segment of a path (RBAC). */
  PATH_SEGMENT
}
