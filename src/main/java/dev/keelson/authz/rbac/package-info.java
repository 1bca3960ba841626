/**
 * Role-based access control: the roles and bindings of the API, indexed by subject. They come from
 * {@link dev.keelson.authz.rbac.RoleSource}. Begin with {@link
 * dev.keelson.authz.rbac.RbacAuthorizer}.
 */
@NullMarked
package dev.keelson.authz.rbac;

import org.jspecify.annotations.NullMarked;
