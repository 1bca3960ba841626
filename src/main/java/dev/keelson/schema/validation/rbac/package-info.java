/**
 * Validates roles, cluster roles and their bindings (pkg/apis/rbac/validation). Whether a user may
 * grant a role is up to the authorizer. Begin at {@link
 * dev.keelson.schema.validation.rbac.RbacKinds}.
 */
@NullMarked
package dev.keelson.schema.validation.rbac;

import org.jspecify.annotations.NullMarked;
