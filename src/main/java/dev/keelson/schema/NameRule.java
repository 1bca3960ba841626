package dev.keelson.schema;

/** The syntax of an object's name. */
public enum NameRule {
  /** RFC 1123 subdomain, at most 253 characters. */
  DNS_SUBDOMAIN,
  /** RFC 1123 label, at most 63 characters. */
  DNS_LABEL,
  /** Any segment of a path (RBAC). */
  PATH_SEGMENT
}
