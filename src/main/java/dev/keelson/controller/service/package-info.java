/**
 * The controllers of Service addresses and node ports: the default ServiceCIDR, the finalizer and
 * condition of all of them, and the repair of allocations. They are clients of the API and know no
 * store. Begin with {@link dev.keelson.controller.service.ServiceNetworkController}.
 */
@NullMarked
package dev.keelson.controller.service;

import org.jspecify.annotations.NullMarked;
