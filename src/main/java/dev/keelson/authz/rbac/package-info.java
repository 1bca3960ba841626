/**
 * Role-based access control: the roles and bindings of the API, indexed by whom they concern. Where
 * they come from is behind {@link dev.keelson.authz.rbac.RoleSource}; begin with {@link
 * dev.keelson.authz.rbac.RbacAuthorizer}.
 */
@NullMarked
package dev.keelson.authz.rbac;

import org.jspecify.annotations.NullMarked;
